package dev.lockstep.cli.locks;

/** Which of two stores is in use, in one line. */
final class PairText {
    private PairText() {}

    static String line(LockReport.Pair pair) {
        String epoch = " in epoch " + pair.epoch();
        return switch (pair.grants()) {
            case "quiet" ->
                "No lock is granted yet: " + pair.active() + " takes over" + epoch
                        + ", once all earlier leases have expired.";
            case "stopped" ->
                "No lock is granted: " + pair.secondary() + ", which says which store's turn it is, doesn't answer.";
            case "fenced" ->
                "Locks are on " + pair.active() + epoch + ", fenced: " + pair.secondary() + " doesn't answer.";
            default ->
                pair.onSecondary()
                        ? "Locks are on " + pair.active() + ", the fallback of " + pair.primary() + "," + epoch + "."
                        : "Locks are on " + pair.active() + epoch + ", with " + pair.secondary() + " as the fallback.";
        };
    }
}
