package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits until a server that was just started can be used. */
final class ServerStart {
    private static final Duration LIMIT = Duration.ofMinutes(4);
    private static final long PAUSE_NANOS = 10_000_000;

    private ServerStart() {}

    static void await(ServerKind kind, long pid, ServerLog log, String readyMark) throws IOException {
        long start = System.nanoTime();
        while (!text(log).contains(readyMark)) {
            if (hasEnded(pid)) {
                throw failure(kind + " ended while it was starting", log);
            }
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw failure("%s was not ready after %d s".formatted(kind, LIMIT.toSeconds()), log);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static String text(ServerLog log) throws IOException {
        return Files.exists(log.file()) ? log.text() : "";
    }

    /** Its parent may not have noticed yet: then it is a zombie. */
    private static boolean hasEnded(long pid) throws IOException {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/stat")).contains(") Z ");
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    private static IOException failure(String what, ServerLog log) throws IOException {
        String text = text(log);
        return text.contains("Address already in use")
                ? new PortTakenException("%s. It logged:%n%s".formatted(what, ServerLog.lastLines(text)))
                : ServerLog.failure(what, text);
    }
}
