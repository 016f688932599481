package dev.lockstep.jdbc.slots;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * One lock as the server knows it: a row, or the number of an advisory lock.
 *
 * @param row what is really locked, as a separate key: by its rank and id the locks are sorted
 * @param slot the number of the lock on the server
 * @param wanted the lock of the plan for which it is taken; the first one when several share it
 */
public record ServerLock(LockKey row, long slot, boolean exclusive, PlannedLock wanted) {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.ISO_8859_1);

    /** The kind of all rows that stand for kinds of one rank. */
    private record RowKind(int rank) implements LockKind {
        @Override
        public String prefix() {
            return "row";
        }
    }

    /** A lock that the server knows by number. */
    public static ServerLock numbered(int rank, long slot, PlannedLock wanted) {
        return new ServerLock(new RowKind(rank).key(hex(slot)), slot, isExclusive(wanted), wanted);
    }

    /** A lock that the server knows by name. */
    public static ServerLock named(String name, PlannedLock wanted) {
        return new ServerLock(new RowKind(wanted.key().rank()).key(name), 0, isExclusive(wanted), wanted);
    }

    /** Equally long, so that they sort like numbers. */
    private static String hex(long slot) {
        byte[] digits = new byte[16];
        for (int i = 0; i < 16; i++) {
            digits[i] = HEX[(int) (slot >>> (60 - 4 * i)) & 0xF];
        }
        return new String(digits, StandardCharsets.ISO_8859_1);
    }

    /** Servers know two modes: an intent is shared, and a shared lock of what may have children is exclusive. */
    private static boolean isExclusive(PlannedLock lock) {
        return switch (lock.mode()) {
            case INTENT_SHARED, INTENT_EXCLUSIVE -> false;
            case SHARED -> !lock.key().kind().leaf();
            case SHARED_INTENT_EXCLUSIVE, EXCLUSIVE -> true;
        };
    }

    public boolean conflictsWith(ServerLock other) {
        return row.equals(other.row) && (exclusive || other.exclusive);
    }

    /** Where in a plan the lock stands for which it is taken; negative if nowhere. */
    public int indexIn(LockPlan plan) {
        for (int i = 0; i < plan.size(); i++) {
            if (plan.key(i).equals(wanted.key())) {
                return i;
            }
        }
        return -1;
    }

    public LockMode mode() {
        return exclusive ? LockMode.EXCLUSIVE : LockMode.SHARED;
    }

    /** In the order in which they are taken, those that are one lock on the server merged into one. */
    public static List<ServerLock> inOrder(List<ServerLock> locks) {
        locks.sort(Comparator.comparing(ServerLock::row));
        List<ServerLock> merged = new ArrayList<>(locks.size());
        for (ServerLock lock : locks) {
            int last = merged.size() - 1;
            if (last >= 0 && merged.get(last).row.equals(lock.row)) {
                merged.set(last, merged.get(last).join(lock));
            } else {
                merged.add(lock);
            }
        }
        return merged;
    }

    private ServerLock join(ServerLock other) {
        return exclusive || !other.exclusive ? this : other;
    }
}
