package dev.lockstep.server.inventory;

import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.HoldOverdue;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The names by which everybody sees reservations. A reservation's id cancels and ships it, so only the client that chose the id may know it. A name is the
 * same for the same id until the server stops, and the id can't be found by trying likely ones.
 */
public final class ReservationNames {
    private static final String ALGORITHM = "HmacSHA256";
    private static final SecretKeySpec KEY = new SecretKeySpec(randomKey(), ALGORITHM);
    private static final int SHOWN_BYTES = 4;

    private ReservationNames() {}

    private static byte[] randomKey() {
        byte[] key = new byte[32];
        new SecureRandom().nextBytes(key);
        return key;
    }

    /** The name of the reservation or request with this id. */
    public static String of(String id) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(KEY);
            byte[] hash = mac.doFinal(id.getBytes(StandardCharsets.UTF_8));
            return "#" + HexFormat.of().formatHex(hash, 0, SHOWN_BYTES);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("This JDK has no " + ALGORITHM, e);
        }
    }

    /** The message of an alert with the reservation's name in place of its id. */
    public static String messageOf(Alert alert) {
        return alert instanceof HoldOverdue overdue
                ? alert.message().replace("'" + overdue.reservationId() + "'", of(overdue.reservationId()))
                : alert.message();
    }
}
