package dev.lockstep.core.engine;

import dev.lockstep.core.LockClock;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Logs trouble with leases, at most one line per second: when a store fails, thousands of leases have the same trouble at once. The first
 * case is logged in full, and those within the next second are counted. Lines are written on another thread, because a log may be slow.
 */
final class TroubleLog {
    private static final long PAUSE = TimeUnit.SECONDS.toNanos(1);

    /** What can happen to leases. */
    enum Trouble {
        LOST("leases were lost"),
        NOT_RENEWED("renewals failed and are tried again"),
        NOT_RELEASED("releases failed and are tried again until the lease ends");

        private final String text;

        Trouble(String text) {
            this.text = text;
        }
    }

    private static final class Cases {
        final String first;
        final @Nullable Throwable error;
        int count;

        Cases(String first, @Nullable Throwable error) {
            this.first = first;
            this.error = error;
        }
    }

    private final Logger log;
    private final LockClock clock;
    private final Executor writer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Trouble, Cases> waiting = new EnumMap<>(Trouble.class);
    private long writtenAt;

    TroubleLog(Logger log, LockClock clock, Executor writer) {
        this.log = log;
        this.clock = clock;
        this.writer = writer;
        writtenAt = clock.nanos() - PAUSE;
    }

    void add(Trouble trouble, Supplier<String> what, @Nullable Throwable error) {
        lock.lock();
        try {
            Cases cases = waiting.get(trouble);
            if (cases == null) {
                cases = new Cases(what.get(), error);
                waiting.put(trouble, cases);
            }
            cases.count++;
        } finally {
            lock.unlock();
        }
        writeIfDue();
    }

    /** Whether there is something to write when the second has passed. */
    boolean isWaiting() {
        lock.lock();
        try {
            return !waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    void writeIfDue() {
        write(false);
    }

    /** Writes what was counted without waiting for the second to pass. */
    void writeNow() {
        write(true);
    }

    private void write(boolean now) {
        lock.lock();
        try {
            if (waiting.isEmpty() || (!now && clock.nanos() - writtenAt < PAUSE)) {
                return;
            }
            writtenAt = clock.nanos();
            String line = waiting.entrySet().stream()
                    .map(entry -> text(entry.getKey(), entry.getValue()))
                    .collect(Collectors.joining("; "));
            @Nullable
            Throwable error = waiting.values().stream()
                    .map(cases -> cases.error)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            writer.execute(() -> log.warn(line, error));
            waiting.clear();
        } catch (RuntimeException | Error e) { // no thread could be started: it is written with what comes later
            writtenAt = clock.nanos();
        } finally {
            lock.unlock();
        }
    }

    private static String text(Trouble trouble, Cases cases) {
        return cases.count == 1
                ? cases.first
                : "%,d %s. The first: %s".formatted(cases.count, trouble.text, cases.first);
    }
}
