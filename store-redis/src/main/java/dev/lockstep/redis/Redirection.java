package dev.lockstep.redis;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A node's answer that a slot is now another node's. An empty host is the one that was asked. */
record Redirection(String host, int port) {
    private static final Pattern MOVED = Pattern.compile("(?:^|[ -])MOVED \\d+ (\\S*):(\\d+)");

    /** A slot that is on its way, and keys of it that have arrived while a script needs others. */
    private static final Pattern UNDER_WAY =
            Pattern.compile("(?:^|[ -])ASK \\d+ |attempted to access a non local key|while the cluster is down");

    static Optional<Redirection> read(Throwable error) {
        Matcher moved = MOVED.matcher(text(error));
        return moved.find()
                ? Optional.of(new Redirection(moved.group(1), Integer.parseInt(moved.group(2))))
                : Optional.empty();
    }

    /** Whether the same call may succeed once the cluster has got over what it is doing. */
    static boolean isUnderWay(Throwable error) {
        return UNDER_WAY.matcher(text(error)).find() || read(error).isPresent();
    }

    private static String text(Throwable error) {
        return String.valueOf(error.getMessage());
    }
}
