package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Extend;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.SetSafetyStock;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;

/** What a command asks for, as a hash: commands with the same request id must have the same. */
public final class Payload {
    private static final int BYTES = 16;

    private Payload() {}

    /** The hash of a command with its lines merged. A reservation's lines are its own affair. */
    public static String hash(Command command, List<StockLine> lines) {
        StringBuilder text = new StringBuilder(command.getClass().getSimpleName());
        command.reservation()
                .ifPresentOrElse(
                        id -> add(text, id),
                        () -> lines.forEach(line -> {
                            add(text, line.key().sku());
                            add(text, line.key().location());
                            add(text, Long.toString(line.quantity()));
                        }));
        if (command instanceof Reserve reserve) {
            reserve.order().heldFor().ifPresent(time -> add(text, time.toString()));
        }
        List<StockLine> part = part(command);
        part.forEach(line -> add(text, line.key().sku() + "\n" + line.key().location() + "\n" + line.quantity()));
        if (command instanceof Extend extend) {
            add(text, extend.heldFor().toString());
        }
        if (command instanceof Adjust adjust) {
            add(text, adjust.reason());
        }
        if (command instanceof SetSafetyStock set) {
            add(text, Long.toString(set.quantity()));
            add(text, set.reason());
        }
        if (command instanceof Repair repair) {
            add(text, repair.remedy().name());
            add(text, repair.reason());
        }
        return hash(text.toString());
    }

    /** The part of a reservation that a command is about; empty for all of it. */
    static List<StockLine> part(Command command) {
        return Keys.merged(partAsGiven(command));
    }

    /** The same before lines of one stock are merged. */
    public static List<StockLine> partAsGiven(Command command) {
        if (command instanceof Ship ship) {
            return ship.lines();
        }
        return command instanceof Cancel cancel ? cancel.lines() : List.of();
    }

    /** The hash of a key. */
    public static String hash(StockKey key) {
        return hash(key.sku() + "\n" + key.location());
    }

    private static String hash(String text) {
        byte[] digest = sha256().digest(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(Arrays.copyOf(digest, BYTES));
    }

    /** None of the parts has control characters, so they can't run together. */
    private static void add(StringBuilder text, String part) {
        text.append('\n').append(part);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
