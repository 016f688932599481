package dev.lockstep.inventory.engine;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Extend;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.SetSafetyStock;
import dev.lockstep.inventory.InventoryLimits;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Rejection;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.books.Checkpoints;
import dev.lockstep.inventory.books.Payload;
import dev.lockstep.inventory.books.StockRow;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Refuses what is wrong with a command before it gets anywhere. */
public final class Checks {
    static final int LONGEST_NAME = 64;
    static final int LONGEST_ID = 120; // with the prefix of an expiry it fits into the tables' 128
    static final int LONGEST_REASON = 200;
    static final int LONGEST_SAFETY_REASON = 180; // the ledger's note has the quantity, too
    private static final int MOST_LINES = 10_000;
    private static final Duration LONGEST_HOLD = Duration.ofDays(3_650);

    private final Command command;
    private final InventoryLimits limits;

    private Checks(Command command, InventoryLimits limits) {
        this.command = command;
        this.limits = limits;
    }

    /** Why the command is refused, if it is. */
    static Optional<Rejected> refuse(Command command, InventoryLimits limits) {
        return new Checks(command, limits).refuse();
    }

    /** Throws when no reservation can have such an id: some databases fail on such text. */
    static void requireReservationId(String id) {
        text("The reservation id", id, LONGEST_ID).ifPresent(Checks::refuse);
    }

    /** Throws when nothing can be called that. */
    static void requireSku(String sku) {
        text("The SKU", sku, LONGEST_NAME).ifPresent(Checks::refuse);
    }

    /** Throws when no stock can have such a key. */
    static void requireKey(StockKey key) {
        requireSku(key.sku());
        text("The location", key.location(), LONGEST_NAME).ifPresent(Checks::refuse);
    }

    /** Throws when a question can't return this many lines of a ledger. */
    static void requireLines(int most) {
        if (most < 1 || most > MOST_LINES) {
            refuse("The number of lines must be between 1 and " + MOST_LINES + ", but was " + most + ".");
        }
    }

    private static void refuse(String detail) {
        throw new InvalidRequestException(detail);
    }

    private Optional<Rejected> refuse() {
        return requestId()
                .or(() -> command.reservation().flatMap(id -> rejectedText("The reservation id", id, LONGEST_ID)))
                .or(this::content);
    }

    private Optional<Rejected> requestId() {
        String id = command.requestId();
        if (command instanceof Expire) {
            return Optional.empty(); // made of the reservation's
        }
        if (id.startsWith(Expire.PREFIX)) {
            return rejected(
                    Rejection.INVALID_TEXT,
                    "The request id begins with '" + Expire.PREFIX
                            + "', as only those of expiries do. Choose another.");
        }
        if (id.startsWith(Checkpoints.PREFIX)) {
            return rejected(
                    Rejection.INVALID_TEXT,
                    "The request id begins with '" + Checkpoints.PREFIX
                            + "', as only those of checkpoints do. Choose another.");
        }
        return rejectedText("The request id", id, LONGEST_ID);
    }

    private Optional<Rejected> content() {
        if (command instanceof Reserve reserve) {
            return lines(reserve.order().lines())
                    .or(() -> reserve.order().heldFor().flatMap(this::time));
        }
        if (command instanceof Receive receive) {
            return lines(receive.lines());
        }
        List<StockLine> part = Payload.partAsGiven(command);
        if (!part.isEmpty()) {
            return lines(part);
        }
        if (command instanceof Extend extend) {
            return time(extend.heldFor());
        }
        if (command instanceof Adjust adjust) {
            return rejectedText("The reason", adjust.reason(), LONGEST_REASON)
                    .or(() -> key(adjust.change().key()))
                    .or(() -> correction(adjust.change()));
        }
        if (command instanceof SetSafetyStock set) {
            return rejectedText("The reason", set.reason(), LONGEST_SAFETY_REASON)
                    .or(() -> key(set.key()))
                    .or(() -> safety(set));
        }
        if (command instanceof Repair repair) {
            return rejectedText("The reason", repair.reason(), LONGEST_REASON).or(() -> key(repair.key()));
        }
        return Optional.empty();
    }

    private Optional<Rejected> lines(List<StockLine> lines) {
        if (lines.isEmpty() || lines.size() > limits.lines()) {
            return rejected(
                    Rejection.INVALID_ORDER,
                    "There are " + lines.size() + " lines. Give 1 to " + limits.lines() + ", or split the order.");
        }
        long sum = 0;
        for (StockLine line : lines) {
            Optional<Rejected> refusal = key(line.key()).or(() -> quantity(line));
            sum += Math.min(line.quantity(), StockRow.MOST);
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return sum > StockRow.MOST
                ? rejected(Rejection.INVALID_QUANTITY, "The quantities add up to more than " + StockRow.MOST + ".")
                : Optional.empty();
    }

    private Optional<Rejected> key(StockKey key) {
        return rejectedText("The SKU", key.sku(), LONGEST_NAME)
                .or(() -> rejectedText("The location", key.location(), LONGEST_NAME));
    }

    private Optional<Rejected> quantity(StockLine line) {
        return line.quantity() >= 1 && line.quantity() <= StockRow.MOST
                ? Optional.empty()
                : rejected(
                        Rejection.INVALID_QUANTITY,
                        "The quantity of " + line.key() + " is " + line.quantity() + ". Give 1 to " + StockRow.MOST
                                + ".");
    }

    private Optional<Rejected> correction(StockLine line) {
        return line.quantity() != 0 && line.quantity() >= -StockRow.MOST && line.quantity() <= StockRow.MOST
                ? Optional.empty()
                : rejected(
                        Rejection.INVALID_QUANTITY,
                        "The correction of " + line.key() + " is " + line.quantity() + ". Give -" + StockRow.MOST
                                + " to " + StockRow.MOST + ", and not 0.");
    }

    private Optional<Rejected> safety(SetSafetyStock set) {
        return set.quantity() >= 0 && set.quantity() <= StockRow.MOST
                ? Optional.empty()
                : rejected(
                        Rejection.INVALID_QUANTITY,
                        "The safety stock of " + set.key() + " must be between 0 and " + StockRow.MOST + ", but was "
                                + set.quantity() + ". Nothing was changed.");
    }

    private Optional<Rejected> time(Duration heldFor) {
        return holdTime(heldFor).map(detail -> new Rejected(command.requestId(), Rejection.INVALID_TIME, detail));
    }

    private static Optional<String> holdTime(Duration heldFor) {
        return heldFor.isNegative()
                        || heldFor.toNanosPart() + heldFor.toSeconds() == 0
                        || heldFor.compareTo(LONGEST_HOLD) > 0
                ? Optional.of("The reservation is to be held for " + heldFor + ". Give more than zero, and at most "
                        + LONGEST_HOLD.toDays() + " days.")
                : Optional.empty();
    }

    /** Throws when no reservation can be held for that long. */
    public static void requireHoldTime(Duration heldFor) {
        holdTime(heldFor).ifPresent(Checks::refuse);
    }

    private Optional<Rejected> rejectedText(String what, String text, int longest) {
        return text(what, text, longest)
                .map(detail -> new Rejected(command.requestId(), Rejection.INVALID_TEXT, detail));
    }

    /** What is wrong with a text: some databases can't keep what is refused here, and others would take it for something else. */
    private static Optional<String> text(String what, String text, int longest) {
        if (text.isEmpty() || text.length() > longest) {
            return Optional.of(what + " has " + text.length() + " characters. Give 1 to " + longest + ".");
        }
        if (!text.equals(text.strip())) {
            return Optional.of(what + " '" + text + "' has white space around it. Strip it.");
        }
        if (text.codePoints().anyMatch(Checks::isStrange)) {
            return Optional.of(what + " has a control character or half a character in it. Give readable text.");
        }
        return Optional.empty();
    }

    private static boolean isStrange(int codePoint) {
        return Character.isISOControl(codePoint) || Character.getType(codePoint) == Character.SURROGATE;
    }

    private Optional<Rejected> rejected(Rejection why, String detail) {
        return Optional.of(new Rejected(command.requestId(), why, detail));
    }
}
