package dev.lockstep.testkit;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Proves, or disproves, that locks exclude: across threads, and across the processes of one machine that point at the same
 * directory. Call {@link #exclusive} or {@link #shared} while a lease is held, and {@link #verify} at the end.
 *
 * <p>It looks in two ways. Each key has a counter in a mapped file, which an exclusive section reads and writes back without any
 * protection of its own, so a lock that lets two in loses increments. And each section is logged with the times of its beginning
 * and end, so that sections that should exclude each other and overlap are found, as are fencing tokens out of order. The
 * times are {@link System#nanoTime}, which all processes of one machine share: on Linux it is CLOCK_MONOTONIC.
 *
 * <p>A key also excludes what is below it. Sections under one lease may overlap: tasks that are bound to it do.
 */
public final class ExclusionChecker implements AutoCloseable {
    private final Path directory;
    private final SectionLog log;
    private final Map<LockKey, MappedByteBuffer> counters = new ConcurrentHashMap<>();

    private ExclusionChecker(Path directory, SectionLog log) {
        this.directory = directory;
        this.log = log;
    }

    /** A checker that keeps its files in a directory, which must exist; other processes may use the same one. */
    public static ExclusionChecker in(Path directory) {
        try {
            return new ExclusionChecker(directory, SectionLog.create(directory));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A section that must be alone with the key: adds one to the key's counter, in two steps. */
    public void exclusive(LockKey key, Lease lease) {
        exclusive(key, lease.token(), lease.owner());
    }

    /** The same for a lock without a lease, such as the broken one that a test of this checker needs. */
    @SuppressWarnings("ThreadPriorityCheck") // the yield is there to let a broken lock fail
    public void exclusive(LockKey key, FencingToken token, String owner) {
        MappedByteBuffer counter = counter(key);
        long enter = System.nanoTime();
        long count = counter.getLong(0);
        Thread.yield();
        counter.putLong(0, count + 1);
        log.append(new Section(key.toString(), true, enter, System.nanoTime(), token, log.process(), owner));
    }

    /** A section that may share the key with others of its kind: looks twice whether the key's counter stands still. */
    public void shared(LockKey key, Lease lease) {
        shared(key, lease.token(), lease.owner());
    }

    /** The same for a lock without a lease. */
    @SuppressWarnings("ThreadPriorityCheck") // the yield is there to let a broken lock fail
    public void shared(LockKey key, FencingToken token, String owner) {
        MappedByteBuffer counter = counter(key);
        long enter = System.nanoTime();
        long count = counter.getLong(0);
        Thread.yield();
        if (counter.getLong(0) != count) {
            log.torn(key.toString());
        }
        log.append(new Section(key.toString(), false, enter, System.nanoTime(), token, log.process(), owner));
    }

    /**
     * A section during which the lease may be lost: it counts only if the lease is still held at its end, which is answered. Only
     * times and tokens are looked at, since a holder that has lost its lease can't take an increment back.
     */
    public boolean whileHeld(LockKey key, boolean exclusive, Lease lease, Runnable work) {
        long enter = System.nanoTime();
        work.run();
        long exit = System.nanoTime();
        if (!lease.isHeld()) {
            return false;
        }
        log.appendUncounted(
                new Section(key.toString(), exclusive, enter, exit, lease.token(), log.process(), lease.owner()));
        return true;
    }

    private MappedByteBuffer counter(LockKey key) {
        MappedByteBuffer counter = counters.get(key);
        return counter != null ? counter : counters.computeIfAbsent(key, this::mapCounter);
    }

    private MappedByteBuffer mapCounter(LockKey key) {
        try {
            return CounterFile.map(directory, key.toString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What all processes did so far, and what was wrong with it. The others must have closed theirs, or be idle. */
    public ExclusionReport report() {
        try {
            log.flush();
            return SectionReader.read(directory).report(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Throws an {@link AssertionError} that says what was wrong, if anything was; returns the report otherwise. */
    public ExclusionReport verify() {
        ExclusionReport report = report();
        if (!report.isClean()) {
            throw new AssertionError(report.toString());
        }
        return report;
    }

    /** Writes out what is still in memory. */
    @Override
    public void close() {
        try {
            log.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
