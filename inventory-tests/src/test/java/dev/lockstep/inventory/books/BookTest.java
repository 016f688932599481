package dev.lockstep.inventory.books;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.HoldState;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Rejection;
import dev.lockstep.inventory.Shortage;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The rules of the stock, several commands in one transaction. */
class BookTest {
    private static final LocalDateTime NOW = LocalDateTime.of(2026, 1, 1, 12, 0);
    private static final StockKey KEY = new StockKey("SHIRT", "TOKYO");
    private static final StockKey OTHER = new StockKey("SHOES", "TOKYO");

    private final Map<String, Hold> holds = new HashMap<>();
    private final Book book = new Book(
            new HashMap<>(Map.of(KEY, row(KEY, 10, 4, 7), OTHER, row(OTHER, 5, 0, 1))),
            new HashMap<>(),
            holds,
            Map.of(),
            NOW);

    private static StockRow row(StockKey key, long physical, long allocated, long version) {
        return new StockRow(new Stock(key, physical, allocated, version), NOW);
    }

    private static StockLine of(StockKey key, long quantity) {
        return new StockLine(key, quantity);
    }

    private Outcome reserve(String id, StockLine... lines) {
        return book.apply(PendingCommands.reserve(id, lines));
    }

    private void held(String id, LocalDateTime expiresAt, StockLine... lines) {
        holds.put(id, new Hold(id, List.of(lines), HoldState.HELD, expiresAt));
    }

    private Outcome end(Command command) {
        return book.apply(PendingCommands.of(
                command, holds.get(command.reservation().orElseThrow()).lines()));
    }

    private static Rejection why(Outcome outcome) {
        return ((Rejected) outcome).why();
    }

    private Stock now(StockKey key) {
        return book.rows().stream()
                .filter(row -> row.key().equals(key))
                .findFirst()
                .orElseThrow()
                .now();
    }

    @Test
    void eachCommandSeesWhatTheOnesBeforeItDid() {
        assertThat(reserve("a", of(KEY, 5))).isInstanceOf(Reserved.class);
        assertThat(reserve("b", of(KEY, 2))).isEqualTo(new OutOfStock("b", List.of(new Shortage(KEY, 2, 1))));
        assertThat(book.apply(PendingCommands.of(new Receive(List.of(of(KEY, 1)), "c"))))
                .isInstanceOf(Accepted.class);
        assertThat(reserve("d", of(KEY, 2))).isInstanceOf(Reserved.class);

        assertThat(now(KEY)).isEqualTo(new Stock(KEY, 11, 11, 10));
        assertThat(book.entries())
                .extracting(entry -> entry.change().after().version())
                .containsExactly(8L, 9L, 10L);
        assertThat(book.commands()).isEqualTo(3);
    }

    @Test
    void whatIsRefusedLeavesNoTrace() {
        reserve("a", of(OTHER, 1), of(KEY, 7));
        reserve("b", of(new StockKey("unknown", "TOKYO"), 1));
        book.apply(PendingCommands.of(new Adjust(of(KEY, -7), "lost", "c")));

        assertThat(book.isChanged()).isFalse();
        assertThat(book.newHolds()).isEmpty();
        assertThat(book.rows()).noneMatch(StockRow::isChanged);
    }

    @Test
    void theSameRequestTwiceInOneTransactionIsDoneOnce() {
        Outcome first = reserve("a", of(KEY, 2));
        assertThat(reserve("a", of(KEY, 2))).isEqualTo(first);
        assertThat(why(reserve("a", of(KEY, 3)))).isEqualTo(Rejection.REQUEST_ID_REUSED);
        assertThat(book.entries()).hasSize(1);
    }

    @Test
    void ofTwoWhoEndAReservationTheFirstDoes() {
        held("h", null, of(KEY, 4));
        assertThat(end(new Ship("h", "a"))).isInstanceOf(Accepted.class);
        assertThat(why(end(new Cancel("h", "b")))).isEqualTo(Rejection.ALREADY_SHIPPED);
        assertThat(now(KEY)).isEqualTo(new Stock(KEY, 6, 0, 8));
        assertThat(book.endedHolds()).extracting(Hold::state).containsExactly(HoldState.SHIPPED);
    }

    @Test
    void aReservationIsOverAtItsVeryMoment() {
        held("over", NOW, of(KEY, 1));
        held("later", NOW.plusNanos(1_000), of(KEY, 1));
        assertThat(why(end(new Ship("over", "a")))).isEqualTo(Rejection.EXPIRED);
        assertThat(end(new Ship("later", "b"))).isInstanceOf(Accepted.class);
        assertThat(end(new Expire("over"))).isInstanceOf(Accepted.class);
        assertThat(why(end(new Cancel("over", "c")))).isEqualTo(Rejection.EXPIRED);
    }

    @Test
    void whatIsNotOverDoesNotExpire() {
        held("never", null, of(KEY, 1));
        held("later", NOW.plusSeconds(1), of(KEY, 1));
        assertThat(why(end(new Expire("never")))).isEqualTo(Rejection.NOT_EXPIRED);
        assertThat(why(end(new Expire("later")))).isEqualTo(Rejection.NOT_EXPIRED);
    }

    @Test
    void aHoldEndsByTheServersClock() {
        PendingCommand work =
                PendingCommands.of(new Reserve(Order.of(of(KEY, 1)).heldFor(Duration.ofMinutes(15)), "a"));
        assertThat(((Reserved) book.apply(work)).expiresAt()).contains(Instant.parse("2026-01-01T12:15:00Z"));
    }

    @Test
    void aReservationOfMoreThanIsAllocatedIsAFaultInTheBooks() {
        held("h", null, of(KEY, 5));
        Outcome outcome = end(new Cancel("h", "a"));
        assertThat(why(outcome)).isEqualTo(Rejection.BOOKS_DISAGREE);
        assertThat(((Rejected) outcome).detail()).contains("'h'", "5 of SHIRT at TOKYO", "by hand");
        assertThat(book.isChanged()).isFalse();
    }
}
