package dev.lockstep.cli.inventory;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.LedgerChange;
import dev.lockstep.inventory.LedgerEntry;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.ReconciliationReport;
import dev.lockstep.inventory.Reservation;
import dev.lockstep.inventory.RetentionReport;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code --json} prints. */
final class InventoryJson {
    private InventoryJson() {}

    /** How much there is at one location. */
    record Level(String sku, String location, long physical, long allocated, long available, long version) {
        static Level of(Stock stock) {
            return new Level(
                    stock.key().sku(),
                    stock.key().location(),
                    stock.physical(),
                    stock.allocated(),
                    stock.available(),
                    stock.version());
        }
    }

    /** A reservation. */
    record Held(String id, String state, @Nullable String expiresAt, List<Line> lines) {
        static Held of(Reservation reservation) {
            return new Held(
                    reservation.id(),
                    reservation.state().name(),
                    reservation.expiresAt().map(Object::toString).orElse(null),
                    reservation.lines().stream().map(Line::of).toList());
        }
    }

    /** A line of a reservation. */
    record Line(String sku, String location, long quantity) {
        static Line of(StockLine line) {
            return new Line(line.key().sku(), line.key().location(), line.quantity());
        }
    }

    /** A line of a ledger. */
    record Entry(
            long number,
            String at,
            String type,
            String requestId,
            @Nullable String reservationId,
            @Nullable String note,
            long physicalChange,
            long allocatedChange,
            long physical,
            long allocated) {
        static Entry of(LedgerEntry line) {
            Change change = line.change();
            return new Entry(
                    change.after().version(),
                    line.at().toString(),
                    line.type().name(),
                    line.requestId(),
                    line.reservationId().orElse(null),
                    line.note().orElse(null),
                    change.physical(),
                    change.allocated(),
                    change.after().physical(),
                    change.after().allocated());
        }
    }

    /** A line of the feed. */
    record Changed(
            long position,
            String sku,
            String location,
            @JsonUnwrapped Entry line) {
        static Changed of(LedgerChange change) {
            StockKey key = change.entry().change().key();
            return new Changed(change.position(), key.sku(), key.location(), Entry.of(change.entry()));
        }
    }

    /** Something in the books that doesn't fit. */
    record Found(String what, String advice, String subject) {
        static Found of(Discrepancy found) {
            return new Found(found.what(), Advice.of(found), found.subject());
        }
    }

    /** The end of a reconciliation. */
    record Compared(long stocks, long discrepancies, long tookMs) {
        static Compared of(ReconciliationReport report) {
            return new Compared(
                    report.stocks(), report.discrepancies(), report.took().toMillis());
        }
    }

    /** What a retention has deleted. */
    record Deleted(long stocks, long ledgerLines, long reservations, long skipped, long tookMs) {
        static Deleted of(RetentionReport report) {
            return new Deleted(
                    report.stocks(),
                    report.ledgerLines(),
                    report.reservations(),
                    report.skipped(),
                    report.took().toMillis());
        }
    }

    /** What became of a change. */
    record Result(
            String outcome,
            String requestId,

            @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable
            String detail,

            List<Level> stock) {
        static Result of(Outcome outcome) {
            boolean done = outcome instanceof Accepted;
            return new Result(
                    outcome.getClass().getSimpleName(),
                    outcome.requestId(),
                    done ? null : OutcomeText.of(outcome),
                    outcome instanceof Accepted accepted
                            ? accepted.changes().stream()
                                    .map(change -> Level.of(change.after()))
                                    .toList()
                            : List.of());
        }
    }
}
