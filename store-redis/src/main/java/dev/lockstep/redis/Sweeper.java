package dev.lockstep.redis;

import java.util.Iterator;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Removes expired leases that no request meets any more, in portions; the servers let one process at a time do so. */
final class Sweeper {
    private static final long PERIOD = TimeUnit.SECONDS.toNanos(10);
    private static final long NEXT_PORTION = TimeUnit.MILLISECONDS.toNanos(10);

    /** How long after a portion another round may begin. */
    private static final String PAUSE_MICROS = Long.toString(TimeUnit.NANOSECONDS.toMicros(PERIOD) / 2);

    private final Servers servers;
    private final Partitions partitions;
    private final StoreTimer timer;
    private final String process;
    private final AtomicBoolean sweeping = new AtomicBoolean();

    Sweeper(Servers servers, Partitions partitions, StoreTimer timer, String process) {
        this.servers = servers;
        this.partitions = partitions;
        this.timer = timer;
        this.process = process;
    }

    /** Not all processes at the same time. */
    void start() {
        timer.every(this::sweep, PERIOD / 2 + ThreadLocalRandom.current().nextLong(PERIOD));
    }

    /** The next round begins when this one has ended. */
    private void sweep() {
        if (sweeping.compareAndSet(false, true)) {
            sweepNext(partitions.all().iterator());
        }
    }

    private void sweepNext(Iterator<Partition> rest) {
        if (rest.hasNext()) {
            sweep(rest.next(), "0", rest);
        } else {
            sweeping.set(false);
        }
    }

    private void sweep(Partition partition, String cursor, Iterator<Partition> rest) {
        CompletionStage<?> unused = servers.call(partition, Script.SWEEP, cursor, process, PAUSE_MICROS)
                .whenComplete((reply, error) -> swept(partition, reply == null ? "0" : (String) reply.get(0), rest));
    }

    private void swept(Partition partition, String next, Iterator<Partition> rest) {
        if ("0".equals(next)) {
            sweepNext(rest);
        } else {
            Future<?> unused = timer.later(() -> sweep(partition, next, rest), NEXT_PORTION);
        }
    }
}
