package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Locks;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.AnswersCheck.Answer;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Overloaded;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.testservers.Scale;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;

/** Many threads with commands of all kinds, each sent several times; afterwards the books and all answers must be right. */
@Timeout(600)
abstract class HistoryContract {
    private static final List<StockKey> KEYS = IntStream.range(0, 4)
            .mapToObj(i -> new StockKey("SKU-" + i, "TOKYO"))
            .toList();

    abstract TestShop openShop() throws SQLException;

    /** Plays a history with each of some seeds, in a shop of its own. */
    void play(Strategy strategy) throws SQLException {
        for (int i = 0; i < Scale.pick(1, 20); i++) {
            long seed = new Random().nextLong();
            try (TestShop shop = openShop();
                    Locks locks = TestShop.locks();
                    Inventory inventory = open(shop, strategy, locks)) {
                new History(shop, inventory).play(seed);
            } catch (AssertionError e) {
                throw new AssertionError("with the seed " + seed, e);
            }
        }
    }

    private static Inventory open(TestShop shop, Strategy strategy, Locks locks) {
        InventoryBuilder builder = shop.inventory()
                .retries(RetryPolicy.exponential(Duration.ofMillis(1), 2, Duration.ofMillis(20))
                        .withJitter(0.5)
                        .withAttempts(10))
                .patience(Duration.ofMinutes(3))
                .answerWithin(Duration.ofSeconds(60))
                .sweepEvery(Duration.ofMillis(20));
        return (strategy == Strategy.LOCKED ? builder.lockedBy(locks) : builder.strategy(strategy)).build();
    }

    /** One history, from the first receipt to the last piece sold. */
    private record History(TestShop shop, Inventory inventory) {
        void play(long seed) throws SQLException {
            Random random = new Random(seed);
            List<Command> commands = new ArrayList<>();
            KEYS.forEach(key -> commands.add(new Receive(List.of(new StockLine(key, 10)), "open-" + key.sku())));
            commands.addAll(new RandomCommands(random, KEYS).next(Scale.pick(150, 400)));

            List<Answer> answers = new Sends(commands, random).through(inventory);
            assertThat(answers)
                    .extracting(Answer::outcome)
                    .doesNotHaveAnyElementsOfTypes(Unknown.class, Failed.class, TimedOut.class, Overloaded.class);
            letExpire();
            check(answers);
            List<Answer> all = new ArrayList<>(answers);
            KEYS.forEach(key -> all.addAll(sellOut(key)));
            all.addAll(replay(answers));
            check(all);
        }

        /** What is over is given back by the sweep; from then on nothing is on its way. */
        private void letExpire() {
            await("what is over was given back")
                    .until(() -> shop.number("SELECT COUNT(*) FROM inventory_reservation"
                                    + " WHERE state = 'HELD' AND expires_at IS NOT NULL")
                            == 0);
        }

        private void check(List<Answer> answers) throws SQLException {
            TableRows rows = TableRows.of(shop);
            BooksCheck.verify(rows, Map.of());
            AnswersCheck.verify(rows, answers);
        }

        /** Nothing is sold out while there is some and nobody is at it; and then it is. */
        private List<Answer> sellOut(StockKey key) {
            long available = inventory.stock(key).orElseThrow().available();
            List<Answer> answers = new ArrayList<>();
            if (available > 0) {
                answers.add(reserve(key, available, "all-" + key.sku()));
                assertThat(answers.get(0).outcome()).isInstanceOf(Reserved.class);
            }
            answers.add(reserve(key, 1, "more-" + key.sku()));
            assertThat(answers.get(answers.size() - 1).outcome()).isInstanceOf(OutOfStock.class);
            Receive receive = new Receive(List.of(new StockLine(key, 1)), "last-" + key.sku());
            answers.add(new Answer(receive, inventory.execute(receive)));
            assertThat(answers.get(answers.size() - 1).outcome()).isInstanceOf(Received.class);
            answers.add(reserve(key, 1, "last-one-" + key.sku()));
            assertThat(answers.get(answers.size() - 1).outcome()).isInstanceOf(Reserved.class);
            return answers;
        }

        private Answer reserve(StockKey key, long quantity, String id) {
            Command command = new Command.Reserve(Order.of(new StockLine(key, quantity)), id);
            return new Answer(command, inventory.execute(command));
        }

        /** All that was done is answered as before, also when all is sold out. */
        private List<Answer> replay(List<Answer> answers) {
            return answers.stream()
                    .filter(answer -> answer.outcome() instanceof Outcome.Accepted)
                    .map(Answer::command)
                    .distinct()
                    .map(command -> new Answer(command, inventory.execute(command)))
                    .toList();
        }
    }
}
