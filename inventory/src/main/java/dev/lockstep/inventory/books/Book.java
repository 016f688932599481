package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Extend;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.SetSafetyStock;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.EntryType;
import dev.lockstep.inventory.HoldState;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Adjusted;
import dev.lockstep.inventory.Outcome.Cancelled;
import dev.lockstep.inventory.Outcome.Expired;
import dev.lockstep.inventory.Outcome.Extended;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Repaired;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.SafetyStockSet;
import dev.lockstep.inventory.Outcome.Shipped;
import dev.lockstep.inventory.Rejection;
import dev.lockstep.inventory.Shortage;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one transaction has read, and what it has decided. Commands are applied one after the other, each with its own outcome; one
 * that is refused leaves no trace. The only place that knows the rules of the stock.
 */
public final class Book {
    private final Map<StockKey, StockRow> rows;
    private final Map<String, CompletedRequest> completed;
    private final Map<String, Hold> holds;
    private final Map<StockKey, Books> books;
    private final LocalDateTime now;
    private final List<Entry> entries = new ArrayList<>();
    private final Map<String, Hold> newHolds = new LinkedHashMap<>();
    private final Map<String, Hold> endedHolds = new LinkedHashMap<>();
    private final Map<String, Hold> extendedHolds = new LinkedHashMap<>();
    private final List<HoldPart> endedParts = new ArrayList<>();
    private int accepted;

    /** With the books of what is to be repaired. */
    Book(
            Map<StockKey, StockRow> rows,
            Map<String, CompletedRequest> completed,
            Map<String, Hold> holds,
            Map<StockKey, Books> books,
            LocalDateTime now) {
        this.rows = rows;
        this.completed = completed;
        this.holds = holds;
        this.books = books;
        this.now = now;
    }

    public Outcome apply(PendingCommand work) {
        @Nullable CompletedRequest before = completed.get(work.requestId());
        if (before != null) {
            return again(work, before);
        }
        Outcome outcome = decide(work);
        if (outcome instanceof Accepted done) {
            completed.put(work.requestId(), new CompletedRequest(work.hash(), done));
            accepted++;
        }
        return outcome;
    }

    /** The answer to a request that was done before. */
    public static Outcome again(PendingCommand work, CompletedRequest before) {
        work.repeats();
        return before.hash().equals(work.hash()) ? before.outcome() : reused(work);
    }

    private static Outcome reused(PendingCommand work) {
        return new Rejected(
                work.requestId(),
                Rejection.REQUEST_ID_REUSED,
                "The request id '" + work.requestId()
                        + "' was used for something else. Make a new one for each request.");
    }

    private Outcome decide(PendingCommand work) {
        Command command = work.command();
        if (command instanceof Reserve) {
            return reserve(work);
        }
        if (command instanceof Receive) {
            return receive(work);
        }
        if (command instanceof Adjust adjust) {
            return adjust(work, adjust);
        }
        if (command instanceof Repair repair) {
            return repair(work, repair);
        }
        if (command instanceof SetSafetyStock set) {
            return setSafety(work, set);
        }
        if (command instanceof Extend extend) {
            return extend(work, extend);
        }
        if (command instanceof Ship ship) {
            return end(work, ship.reservationId(), HoldState.SHIPPED, EntryType.SHIP);
        }
        if (command instanceof Cancel cancel) {
            return end(work, cancel.reservationId(), HoldState.CANCELLED, EntryType.CANCEL);
        }
        return end(work, ((Expire) command).reservationId(), HoldState.EXPIRED, EntryType.EXPIRE);
    }

    private Outcome reserve(PendingCommand work) {
        if (holds.containsKey(work.requestId())) {
            return reused(work);
        }
        List<Shortage> shortages = new ArrayList<>();
        for (StockLine line : work.lines()) {
            @Nullable StockRow row = rows.get(line.key());
            if (row == null) {
                return unknown(work.requestId(), line.key());
            }
            if (row.now().available() < line.quantity()) {
                shortages.add(new Shortage(
                        line.key(), line.quantity(), Math.max(0, row.now().available())));
            }
        }
        if (!shortages.isEmpty()) {
            return new OutOfStock(work.requestId(), shortages);
        }
        @Nullable
        LocalDateTime expiresAt = work.heldFor()
                .map(time -> now.plus(time).truncatedTo(ChronoUnit.MICROS))
                .orElse(null);
        Optional<Instant> end = Optional.ofNullable(expiresAt).map(at -> at.toInstant(ZoneOffset.UTC));
        newHolds.put(work.requestId(), new Hold(work.requestId(), work.lines(), HoldState.HELD, expiresAt));
        @Nullable String note = end.map(Instant::toString).orElse(null);
        List<Change> changes = change(work, work.lines(), EntryType.RESERVE, 0, 1, work.requestId(), note);
        return new Reserved(work.requestId(), changes, end);
    }

    private Outcome receive(PendingCommand work) {
        for (StockLine line : work.lines()) {
            @Nullable StockRow row = rows.get(line.key());
            if (row == null) {
                return unknown(work.requestId(), line.key());
            }
            if (!row.allows(line.quantity(), 0)) {
                return refused(work, line, row);
            }
        }
        return new Received(work.requestId(), change(work, work.lines(), EntryType.RECEIVE, 1, 0, null, null));
    }

    private Outcome adjust(PendingCommand work, Adjust adjust) {
        StockLine line = work.lines().get(0);
        @Nullable StockRow row = rows.get(line.key());
        if (row == null) {
            return unknown(work.requestId(), line.key());
        }
        long free = Math.max(0, row.now().physical() - row.now().allocated());
        if (line.quantity() < 0 && free < -line.quantity()) {
            return new OutOfStock(work.requestId(), List.of(new Shortage(line.key(), -line.quantity(), free)));
        }
        if (!row.allows(line.quantity(), 0)) {
            return refused(work, line, row);
        }
        return new Adjusted(
                work.requestId(), change(work, work.lines(), EntryType.ADJUST, 1, 0, null, adjust.reason()));
    }

    private Outcome setSafety(PendingCommand work, SetSafetyStock set) {
        @Nullable StockRow row = rows.get(set.key());
        if (row == null) {
            return unknown(work.requestId(), set.key());
        }
        Change change = row.setSafety(set.quantity());
        entries.add(new Entry(work, EntryType.SAFETY, 0, change, null, set.quantity() + ": " + set.reason()));
        return new SafetyStockSet(work.requestId(), List.of(change));
    }

    private Outcome repair(PendingCommand work, Repair repair) {
        Repairs repairs = new Repairs(repair, Objects.requireNonNull(books.get(repair.key())));
        Optional<Rejected> refusal = repairs.refusal();
        if (refusal.isPresent()) {
            return refusal.get();
        }
        Change change = row(repair.key()).repair(repairs.change());
        entries.add(new Entry(work, EntryType.REPAIR, 0, change, null, repair.reason()));
        return new Repaired(work.requestId(), List.of(change));
    }

    private Outcome end(PendingCommand work, String id, HoldState end, EntryType type) {
        @Nullable Hold hold = holds.get(id);
        if (hold == null) {
            return new Rejected(
                    work.requestId(), Rejection.UNKNOWN_RESERVATION, "There is no reservation '" + id + "'.");
        }
        Optional<Rejected> refusal = refusal(work, hold, end);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        List<StockLine> part = Payload.part(work.command());
        List<StockLine> lines = part.isEmpty() ? hold.lines() : part;
        Optional<Rejected> tooMuch = notHeld(work, hold, lines);
        if (tooMuch.isPresent()) {
            return tooMuch.get();
        }
        int physical = end == HoldState.SHIPPED ? -1 : 0;
        for (StockLine line : lines) {
            @Nullable StockRow row = rows.get(line.key());
            if (row == null || !row.allows(physical * line.quantity(), -line.quantity())) {
                return disagree(work, hold, line, row);
            }
        }
        take(hold, lines, end);
        List<Change> changes = change(work, lines, type, physical, -1, id, null);
        return ended(work, id, type, changes);
    }

    private static Optional<Rejected> notHeld(PendingCommand work, Hold hold, List<StockLine> lines) {
        for (StockLine line : lines) {
            long held = held(hold, line.key());
            if (line.quantity() > held) {
                return Optional.of(new Rejected(
                        work.requestId(),
                        Rejection.INVALID_QUANTITY,
                        "The reservation '" + hold.id() + "' holds " + held + " of " + line.key() + ", but "
                                + line.quantity() + " are to end. Nothing was changed."));
            }
        }
        return Optional.empty();
    }

    private static long held(Hold hold, StockKey key) {
        return hold.lines().stream()
                .filter(line -> line.key().equals(key))
                .mapToLong(StockLine::quantity)
                .sum();
    }

    /** Ends a reservation, or the part of it that these lines are. */
    private void take(Hold hold, List<StockLine> lines, HoldState end) {
        if (lines.equals(hold.lines())) {
            holds.put(hold.id(), hold.ended(end));
            endedHolds.put(hold.id(), hold.ended(end));
            return;
        }
        List<StockLine> left = new ArrayList<>(hold.lines());
        for (StockLine line : lines) {
            StockLine before = new StockLine(line.key(), held(hold, line.key()));
            HoldPart part = new HoldPart(hold.id(), before, line.quantity(), end);
            endedParts.add(part);
            int at = left.indexOf(before);
            if (part.isWhole()) {
                left.remove(at);
            } else {
                left.set(at, new StockLine(line.key(), before.quantity() - line.quantity()));
            }
        }
        holds.put(hold.id(), hold.with(left));
    }

    private Outcome extend(PendingCommand work, Extend extend) {
        String id = extend.reservationId();
        @Nullable Hold hold = holds.get(id);
        if (hold == null) {
            return new Rejected(
                    work.requestId(), Rejection.UNKNOWN_RESERVATION, "There is no reservation '" + id + "'.");
        }
        Optional<Rejected> refusal = refusal(work, hold, HoldState.SHIPPED);
        if (refusal.isPresent()) {
            return refusal.get();
        }
        for (StockLine line : hold.lines()) {
            if (!rows.containsKey(line.key())) {
                return disagree(work, hold, line, null);
            }
        }
        Hold longer = hold.until(now.plus(extend.heldFor()).truncatedTo(ChronoUnit.MICROS));
        holds.put(id, longer);
        extendedHolds.put(id, longer);
        Instant end = Objects.requireNonNull(longer.expiresAt()).toInstant(ZoneOffset.UTC);
        List<Change> changes = change(work, hold.lines(), EntryType.EXTEND, 0, 0, id, end.toString());
        return new Extended(work.requestId(), id, changes, end);
    }

    static Accepted ended(PendingCommand work, String id, EntryType type, List<Change> changes) {
        return switch (type) {
            case SHIP -> new Shipped(work.requestId(), id, changes);
            case CANCEL -> new Cancelled(work.requestId(), id, changes);
            default -> new Expired(work.requestId(), id, changes);
        };
    }

    private Optional<Rejected> refusal(PendingCommand work, Hold hold, HoldState end) {
        if (hold.state() == HoldState.SHIPPED) {
            return rejected(work, Rejection.ALREADY_SHIPPED, hold, "was shipped");
        }
        if (hold.state() == HoldState.CANCELLED) {
            return rejected(work, Rejection.ALREADY_CANCELLED, hold, "was cancelled");
        }
        if (hold.state() == HoldState.EXPIRED || (end == HoldState.SHIPPED && hold.isOver(now))) {
            return rejected(work, Rejection.EXPIRED, hold, "expired at " + hold.expiresAt() + " UTC");
        }
        return end == HoldState.EXPIRED && !hold.isOver(now)
                ? rejected(work, Rejection.NOT_EXPIRED, hold, "has not expired")
                : Optional.empty();
    }

    private static Optional<Rejected> rejected(PendingCommand work, Rejection why, Hold hold, String what) {
        return Optional.of(new Rejected(work.requestId(), why, "The reservation '" + hold.id() + "' " + what + "."));
    }

    public static Rejected unknown(String requestId, StockKey key) {
        return new Rejected(
                requestId,
                Rejection.UNKNOWN_STOCK,
                "There never was any " + key + ". Receive it first, or check the spelling.");
    }

    /** What can't be added: it is too much, or the row is less than nothing and stays so. */
    private static Rejected refused(PendingCommand work, StockLine line, StockRow row) {
        return row.now().physical() + line.quantity() > StockRow.MOST
                ? tooMuch(work, line)
                : new Rejected(
                        work.requestId(),
                        Rejection.BOOKS_DISAGREE,
                        line.key() + " has " + row.now().counts()
                                + ". It was changed by hand: reconcile it, and repair it.");
    }

    private static Rejected tooMuch(PendingCommand work, StockLine line) {
        return new Rejected(
                work.requestId(),
                Rejection.INVALID_QUANTITY,
                "With " + line + " there would be more than " + StockRow.MOST + ".");
    }

    private static Rejected disagree(PendingCommand work, Hold hold, StockLine line, @Nullable StockRow row) {
        String there = row == null ? "there is no such row" : row.now().toString();
        return new Rejected(
                work.requestId(),
                Rejection.BOOKS_DISAGREE,
                "The reservation '" + hold.id() + "' holds " + line + ", but the stock is " + there
                        + ". It was changed by hand: reconcile it, and repair it.");
    }

    private List<Change> change(
            PendingCommand work,
            List<StockLine> lines,
            EntryType type,
            int physical,
            int allocated,
            @Nullable String reservationId,
            @Nullable String note) {
        List<Change> changes = new ArrayList<>(lines.size());
        for (StockLine line : lines) {
            StockRow row = row(line.key());
            Change change = row.change(physical * line.quantity(), allocated * line.quantity());
            entries.add(new Entry(work, type, changes.size(), change, reservationId, note));
            changes.add(change);
        }
        return List.copyOf(changes);
    }

    private StockRow row(StockKey key) {
        return Objects.requireNonNull(rows.get(key));
    }

    LocalDateTime now() {
        return now;
    }

    /** How many commands changed something. */
    public int commands() {
        return accepted;
    }

    public boolean isChanged() {
        return !entries.isEmpty();
    }

    List<Entry> entries() {
        return entries;
    }

    Collection<Hold> newHolds() {
        return newHolds.values();
    }

    /** Those whose time to expire has changed. */
    Collection<Hold> extendedHolds() {
        return extendedHolds.values();
    }

    /** Parts of reservations, in the order in which they ended, before {@link #endedHolds}. */
    List<HoldPart> endedParts() {
        return endedParts;
    }

    Collection<Hold> endedHolds() {
        return endedHolds.values();
    }

    public Collection<StockRow> rows() {
        return rows.values();
    }
}
