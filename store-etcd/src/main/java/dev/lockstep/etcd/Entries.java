package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockMode;
import java.util.UUID;

/*
 * One lock of one lease is an entry `<namespace>/l/<key>\0/<m>/<lease>`, whether it is held or waited for. The digits of the modes are chosen so
 * that the modes which conflict with one are neighbours: IS 3, IX 3-5, X 1-5, SIX 2-5, S 2-4. So one range of keys, and one compare in a
 * transaction, covers all holders and waiters that are in the way. An entry holds if and only if no conflicting entry of the same
 * key has a lower create revision.
 */

/** The names of entries. */
final class Entries {
    private static final LockMode[] BY_DIGIT = {
        LockMode.INTENT_SHARED,
        LockMode.INTENT_EXCLUSIVE,
        LockMode.EXCLUSIVE,
        LockMode.SHARED_INTENT_EXCLUSIVE,
        LockMode.SHARED
    };
    private static final String END_OF_KEY = "\0/";
    private static final int UUID_LENGTH = 36;

    private Entries() {}

    /** What the names of all entries of a key begin with. */
    static String ofKey(EtcdNamespace namespace, String key) {
        return namespace.entries() + key + END_OF_KEY;
    }

    static int digit(LockMode mode) {
        for (int i = 0; i < BY_DIGIT.length; i++) {
            if (BY_DIGIT[i] == mode) {
                return i + 1;
            }
        }
        throw new IllegalArgumentException(mode.toString());
    }

    /** The lowest digit of a mode that conflicts with this one. */
    static int lowest(LockMode mode) {
        int lowest = 1;
        while (mode.compatibleWith(BY_DIGIT[lowest - 1])) {
            lowest++;
        }
        return lowest;
    }

    /** The highest digit of a mode that conflicts with this one. */
    static int highest(LockMode mode) {
        int highest = BY_DIGIT.length;
        while (mode.compatibleWith(BY_DIGIT[highest - 1])) {
            highest--;
        }
        return highest;
    }

    /** The end of an entry's name: the same for all entries of a lease. */
    static ByteString leaseOf(ByteString entry) {
        return entry.substring(Math.max(0, entry.size() - UUID_LENGTH));
    }

    /** What the name of an entry says. */
    record Name(String key, LockMode mode, UUID lease) {}

    static Name read(EtcdNamespace namespace, ByteString entry) {
        String text = entry.toStringUtf8();
        int lease = text.length() - UUID_LENGTH;
        int digit = lease - 2;
        return new Name(
                text.substring(namespace.entries().length(), digit - END_OF_KEY.length()),
                BY_DIGIT[text.charAt(digit) - '1'],
                UUID.fromString(text.substring(lease)));
    }
}
