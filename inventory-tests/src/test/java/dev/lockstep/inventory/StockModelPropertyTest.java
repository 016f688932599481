package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Rejected;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

@Label("an inventory on H2 against a model in plain maps")
@PropertyDefaults(tries = 50, edgeCases = EdgeCasesMode.NONE)
@Tag("once") // its subject is the model
class StockModelPropertyTest {
    /** One for each property: jqwik begins the next one while it still looks for a smaller example of one that failed. */
    private static final Map<Strategy, TestShop> SHOPS = new EnumMap<>(Strategy.class);

    private static Locks locks;

    @BeforeContainer
    static void open() {
        for (Strategy strategy : Strategy.values()) {
            SHOPS.put(strategy, TestShop.onH2());
        }
        locks = TestShop.locks();
    }

    @AfterContainer
    static void close() throws SQLException {
        locks.close();
        for (TestShop shop : SHOPS.values()) {
            shop.close();
        }
    }

    // Few names, so that stock often meets; and most commands vary one before them, so that requests and reservations
    // do.

    private static Arbitrary<String> ids() {
        return Arbitraries.integers().between(1, 30).map(i -> "r" + i);
    }

    private static Arbitrary<StockLine> lines(long least, long most) {
        Arbitrary<StockKey> keys = Arbitraries.of("a", "A", "b").map(sku -> new StockKey(sku, "TOKYO"));
        Arbitrary<Long> quantities = Arbitraries.longs().between(least, most).filter(quantity -> quantity != 0);
        return Combinators.combine(keys, quantities).as(StockLine::new);
    }

    private static Arbitrary<Command> fresh() {
        Arbitrary<Command> reserve = Combinators.combine(
                        lines(1, 2).list().ofMinSize(1).ofMaxSize(3),
                        ids(),
                        Arbitraries.just(Duration.ofHours(1)).optional(0.3))
                .as((lines, id, time) -> new Reserve(new Order(lines, time), id));
        Arbitrary<Command> receive = Combinators.combine(
                        lines(1, 5).list().ofMinSize(1).ofMaxSize(3), ids())
                .as(Receive::new);
        Arbitrary<Command> adjust =
                Combinators.combine(lines(-3, 3), ids()).as((line, id) -> new Adjust(line, "counted", id));
        return Arbitraries.frequencyOf(Tuple.of(5, reserve), Tuple.of(4, receive), Tuple.of(2, adjust));
    }

    /** A command, and how it becomes one that varies an earlier one; a new one without. */
    private record Step(Command fresh, Optional<Variation> variation, int dice) {
        Command after(List<Command> before) {
            return before.isEmpty() || variation.isEmpty()
                    ? fresh
                    : variation.get().of(before.get(dice % before.size()), fresh, dice / before.size());
        }
    }

    private static Arbitrary<Step> steps() {
        Arbitrary<Optional<Variation>> variations = Arbitraries.frequency(
                Tuple.of(8, Optional.empty()),
                Tuple.of(1, Optional.of(Variation.AGAIN)),
                Tuple.of(2, Optional.of(Variation.REORDERED)),
                Tuple.of(2, Optional.of(Variation.SPLIT)),
                Tuple.of(4, Optional.of(Variation.CLOSE)),
                Tuple.of(1, Optional.of(Variation.OTHER)),
                Tuple.of(3, Optional.of(Variation.ABOUT)));
        return Combinators.combine(fresh(), variations, Arbitraries.integers().between(0, 999))
                .as(Step::new);
    }

    @Provide
    Arbitrary<List<Command>> commands() {
        return steps().list().ofMinSize(5).ofMaxSize(40).map(steps -> {
            List<Command> commands = new ArrayList<>();
            steps.forEach(step -> commands.add(step.after(commands)));
            return commands;
        });
    }

    @Property
    @Label("optimistic")
    void optimistic(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.OPTIMISTIC, commands);
    }

    @Property
    @Label("pessimistic")
    void pessimistic(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.PESSIMISTIC, commands);
    }

    @Property
    @Label("locked")
    void locked(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.LOCKED, commands);
    }

    @Property
    @Label("combining")
    void combining(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.COMBINING, commands);
    }

    @Property
    @Label("group commit")
    void groupCommit(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.GROUP_COMMIT, commands);
    }

    @Property
    @Label("adaptive")
    void adaptive(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.ADAPTIVE, commands);
    }

    private static void compare(Strategy strategy, List<Command> commands) throws SQLException {
        TestShop shop = SHOPS.get(strategy);
        shop.clear();
        InventoryBuilder builder = shop.inventory().sweepEvery(Duration.ZERO);
        try (Inventory inventory =
                (strategy == Strategy.LOCKED ? builder.lockedBy(locks) : builder.strategy(strategy)).build()) {
            compare(inventory, commands);
        }
        BooksCheck.verify(TableRows.of(shop), Map.of());
    }

    private static void compare(Inventory inventory, List<Command> commands) {
        StockModel model = new StockModel();
        Map<String, Outcome> accepted = new HashMap<>();
        for (Command command : commands) {
            Outcome outcome = inventory.execute(command);
            assertThat(model.answer(command).split(" or ")).as("%s", command).contains(name(outcome));
            if (outcome instanceof Accepted) {
                assertThat(outcome).isEqualTo(accepted.computeIfAbsent(command.requestId(), any -> outcome));
            }
            assertThat(stock(inventory)).as("after %s", command).isEqualTo(model.stock());
        }
    }

    private static String name(Outcome outcome) {
        return outcome instanceof Rejected rejected
                ? rejected.why().name()
                : outcome.getClass().getSimpleName();
    }

    private static Map<String, List<Long>> stock(Inventory inventory) {
        return List.of("a", "A", "b").stream()
                .flatMap(sku -> inventory.stock(sku).stream())
                .collect(Collectors.toMap(
                        stock -> stock.key().toString(),
                        stock -> List.of(stock.physical(), stock.allocated(), stock.version()),
                        (one, other) -> one,
                        TreeMap::new));
    }
}
