package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The same request again, and what the answer was. */
interface ReplayContract extends ShopStage {
    private static String reused(String id) {
        return "The request id '" + id + "' was used for something else. Make a new one for each request.";
    }

    private void assertReused(Command command) {
        assertRefused(command, Rejection.REQUEST_ID_REUSED, reused(command.requestId()));
        assertThat(inventory().outcomeOf(command)).isEmpty();
    }

    @Test
    default void everyCommandIsDoneOnceHoweverOftenItIsAsked() {
        StockKey key = freshKey();
        StockKey other = stocked(5);
        List<Command> commands = List.of(
                new Receive(List.of(of(key, 9)), id()),
                new Reserve(Order.of(of(key, 2), of(other, 1)), key + "ship"),
                new Reserve(Order.of(of(key, 3)).heldFor(Duration.ofHours(1)), key + "cancel"),
                new Ship(key + "ship", id()),
                new Cancel(key + "cancel", id()),
                new Adjust(of(key, -1), "lost", id()));

        List<Accepted> first = commands.stream()
                .map(command -> assertIs(Accepted.class, inventory().execute(command)))
                .toList();

        for (int i = 0; i < commands.size(); i++) {
            assertReplayed(commands.get(i), first.get(i));
        }
        assertStock(key, 6, 0, 6);
    }

    @Test
    default void submittedCommandsDoTheSame() {
        StockKey key = freshKey();
        List<Command> commands = List.of(
                new Receive(List.of(of(key, 9)), id()),
                new Reserve(Order.of(of(key, 2)), key + "ship"),
                new Ship(key + "ship", id()),
                new Reserve(Order.of(of(key, 3)), key + "cancel"),
                new Cancel(key + "cancel", id()),
                new Adjust(of(key, -1), "lost", id()));

        for (Command command : commands) {
            Accepted first =
                    assertIs(Accepted.class, inventory().submit(command).join());
            assertReplayed(command, first);
        }
        assertStock(key, 6, 0, 6);
        String id = id();
        assertThat(inventory().submit(new Reserve(Order.of(of(key, 7)), id)).join())
                .isEqualTo(new OutOfStock(id, List.of(new Shortage(key, 7, 6))));
    }

    @Test
    default void aReservationIsAnsweredAsItWasAlsoAfterItsEnd() {
        StockKey key = stocked(5);
        Reserve reserve = new Reserve(Order.of(of(key, 5)), id());
        Reserved first = assertIs(Reserved.class, inventory().execute(reserve));

        inventory().cancel(first.id(), id());
        assertReplayed(reserve, first);
        assertIs(Reserved.class, inventory().reserve(of(key, 5), id()));
        assertReplayed(reserve, first);
    }

    @Test
    default void theOrderOfTheLinesDoesNotMatter() {
        StockKey one = stocked(5);
        StockKey two = stocked(5);
        String id = id();
        Accepted first = assertIs(Accepted.class, inventory().reserve(Order.of(of(one, 2), of(two, 1)), id));

        assertReplayed(new Reserve(Order.of(of(two, 1), of(one, 1), of(one, 1)), id), first);
    }

    @Test
    default void theSameIdForSomethingElseIsRefused() {
        StockKey key = stocked(9);
        String id = id();
        inventory().reserve(of(key, 2), id);
        StockKey other = stocked(9);

        assertReused(new Reserve(Order.of(of(key, 3)), id));
        assertReused(new Reserve(Order.of(of(key, 2)).heldFor(Duration.ofHours(1)), id));
        assertReused(new Reserve(Order.of(of(other, 2)), id));
        assertReused(new Receive(List.of(of(key, 2)), id));
        assertReused(new Adjust(of(key, 2), "found", id));
        assertReused(new Cancel(id, id));
        assertReused(new Ship(id, id));
        assertStock(key, 9, 2, 2);
    }

    @Test
    default void aReusedIdMakesNoNewStock() {
        StockKey key = stocked(9);
        StockKey unknown = freshKey();
        String id = id();
        inventory().reserve(of(key, 2), id);

        assertReused(new Receive(List.of(of(unknown, 2)), id));
        assertThat(inventory().stock(unknown)).isEmpty();
    }

    @Test
    default void aCorrectionForAnotherReasonIsAnotherOne() {
        StockKey key = stocked(9);
        String id = id();
        inventory().adjust(of(key, -2), "lost", id);

        assertReused(new Adjust(of(key, -2), "stolen", id));
    }

    @Test
    default void whatWasNotDoneCanBeAskedAgainWithTheSameId() {
        StockKey key = freshKey();
        Reserve reserve = new Reserve(Order.of(of(key, 2)), id());
        assertThat(inventory().execute(reserve)).isInstanceOf(Outcome.Rejected.class);
        inventory().receive(of(key, 1), id());
        assertThat(inventory().execute(reserve)).isInstanceOf(OutOfStock.class);
        inventory().receive(of(key, 1), id());

        assertIs(Reserved.class, inventory().execute(reserve));
        assertStock(key, 2, 2, 3);
    }

    @Test
    default void whatWasNotDoneHasNoOutcome() {
        StockKey key = stocked(5);

        assertThat(inventory().outcomeOf(new Reserve(Order.of(of(key, 1)), id())))
                .isEmpty();
        assertThat(inventory().outcomeOf(new Reserve(Order.of(of(freshKey(), 1)), id())))
                .isEmpty();
        assertThat(inventory().outcomeOf(new Cancel("no-such", id()))).isEmpty();
        assertThatThrownBy(() -> inventory().outcomeOf(new Reserve(Order.of(of(key, 0)), id())))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("The quantity of " + key + " is 0. Give 1 to 1000000000000000.");
        assertStock(key, 5, 0, 1);
    }

    @Test
    default void anotherProcessKnowsTheAnswer() {
        StockKey key = freshKey();
        Receive receive = new Receive(List.of(of(key, 5)), id());
        Received first = assertIs(Received.class, inventory().execute(receive));

        try (Inventory other = builder().build()) {
            assertThat(other.outcomeOf(receive)).contains(first);
            assertThat(other.execute(receive)).isEqualTo(first);
        }
        assertStock(key, 5, 0, 1);
    }
}
