package dev.lockstep.core;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** The wait ended before the locks could be acquired. Nothing is held. */
public final class LockTimeoutException extends LockException {
    private static final long serialVersionUID = 1L;

    private final transient Busy busy;

    /** Names what was in the way. */
    public LockTimeoutException(Busy busy, List<LockKey> keys, Duration waited) {
        super(ErrorCode.TIMEOUT, message(busy, keys, waited), keys, null);
        this.busy = busy;
    }

    private static String message(Busy busy, List<LockKey> keys, Duration waited) {
        String blockers = busy.blockers().isEmpty()
                ? "a holder that this store can't name"
                : busy.blockers().stream().map(Blocker::toString).collect(Collectors.joining(", "));
        return "No lock on " + keys + " after " + waited.toMillis() + " ms: "
                + busy.mode().symbol() + "(" + busy.key()
                + ") must wait for " + blockers
                + ". Try again, wait longer with within(...), or shorten the work done under that lock.";
    }

    /** The key that was waited for, and who was in the way. */
    public Busy busy() {
        return busy;
    }
}
