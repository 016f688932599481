package dev.lockstep.redis;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * Ten thousand requests that wait at one lock
 * -------------------------------------------
 * If each of them asked once a second, the server would do little else. So one call per process and partition keeps the places of all, and
 * only the first request of this process at each lock asks: it is the one that may have to remove an expired holder. The reply to a
 * heartbeat names the requests that were granted since the last one, in case their hints were lost.
 *
 * All requests of a partition ask again when they may have lost their places without a notice: when the server had no heartbeat for longer
 * than they keep them, when a reply was lost, or when the partition began a new generation. The server alone can't say whether this process
 * stood still for too long: the next request that is queued looks like a heartbeat to it. So the clocks here decide as well.
 */

/** Keeps the places of the requests of this process that are queued, and lets the first one at each lock ask from time to time. */
final class Heartbeats {
    private static final String ALL = "*";

    /** A request that is queued. */
    interface Queued {
        /** Finds out what has become of it. */
        void ask();

        /** The same, unless that is under way or no longer needed. */
        void askIfIdle();
    }

    private final Servers servers;
    private final String process;
    private final String patienceMicros;
    private final Duration longestGap;
    private final LockClock clock;
    private final Consumer<String> granted;
    private final ReentrantLock lock = new ReentrantLock();

    /** Under the lock. A partition stays until the server knows that none of its requests waits. */
    private final Map<Partition, Queues> partitions = new HashMap<>();

    /** The requests that are queued at each lock of a partition. */
    private static final class Queues {
        private final Map<LockKey, Set<Queued>> byKey = new LinkedHashMap<>();

        /** When the last heartbeat that has a reply was sent, or the first request was queued. */
        private Moment confirmed;

        private boolean underWay;
        private boolean inDoubt;

        Queues(Moment begun) {
            confirmed = begun;
        }

        List<Queued> first() {
            return byKey.values().stream().map(each -> each.iterator().next()).toList();
        }

        List<Queued> all() {
            return byKey.values().stream().flatMap(Set::stream).toList();
        }
    }

    /** A reading of both clocks: one of them may stand still with the machine, the other may be set. */
    private record Moment(long nanos, long millis) {
        static Moment now(LockClock clock) {
            return new Moment(clock.nanos(), clock.millis());
        }

        boolean isBefore(Moment other, Duration gap) {
            return other.nanos - nanos >= gap.toNanos() || other.millis - millis >= gap.toMillis();
        }
    }

    /**
     * {@code longestGap} is the time between two heartbeats in which no place is lost, however late replies are; {@code granted} receives the
     * ids of requests that were granted.
     */
    Heartbeats(
            Servers servers,
            String process,
            Duration patience,
            Duration longestGap,
            LockClock clock,
            Consumer<String> granted) {
        this.servers = servers;
        this.process = process;
        patienceMicros = Long.toString(NamespaceGeneration.micros(patience));
        this.longestGap = longestGap;
        this.clock = clock;
        this.granted = granted;
    }

    // ---- which requests are queued

    void joined(Partition partition, LockKey key, Queued request) {
        lock.lock();
        try {
            partitions
                    .computeIfAbsent(partition, any -> new Queues(Moment.now(clock)))
                    .byKey
                    .computeIfAbsent(key, any -> new LinkedHashSet<>())
                    .add(request);
        } finally {
            lock.unlock();
        }
    }

    void left(Partition partition, LockKey key, Queued request) {
        lock.lock();
        try {
            Queues queues = partitions.get(partition);
            Set<Queued> queue = queues == null ? null : queues.byKey.get(key);
            if (queue != null && queue.remove(request) && queue.isEmpty()) {
                Objects.requireNonNull(queues).byKey.remove(key);
            }
        } finally {
            lock.unlock();
        }
    }

    // ---- once a second

    /** Sends a heartbeat to each partition where requests are queued, unless the last one is unanswered; and lets the first ones ask. */
    void send() {
        List<Queued> first = new ArrayList<>();
        Set<Partition> due = new HashSet<>();
        Set<Partition> ended = new HashSet<>();
        lock.lock();
        try {
            partitions.forEach((partition, queues) -> {
                first.addAll(queues.first());
                if (queues.byKey.isEmpty()) {
                    ended.add(partition);
                } else if (!queues.underWay) {
                    queues.underWay = true;
                    due.add(partition);
                }
            });
            ended.forEach(partitions::remove);
        } finally {
            lock.unlock();
        }
        Moment sent = Moment.now(clock);
        due.forEach(partition -> {
            CompletionStage<?> unused =
                    call(partition, patienceMicros).whenComplete((reply, error) -> answered(partition, sent, reply));
        });
        ended.forEach(partition -> {
            CompletionStage<?> unused = end(partition);
        });
        first.forEach(Queued::askIfIdle);
    }

    private CompletionStage<List<Object>> call(Partition partition, String patience) {
        return servers.call(partition, Script.HEARTBEAT, process, patience);
    }

    private CompletionStage<List<Object>> end(Partition partition) {
        return call(partition, "0");
    }

    private void answered(Partition partition, Moment sent, @Nullable List<Object> reply) {
        boolean doubt;
        lock.lock();
        try {
            Queues queues = partitions.get(partition);
            doubt = queues != null && (queues.inDoubt || queues.confirmed.isBefore(Moment.now(clock), longestGap));
            if (queues != null) {
                queues.underWay = false;
                queues.inDoubt = reply == null;
                queues.confirmed = reply == null ? queues.confirmed : sent;
            }
        } finally {
            lock.unlock();
        }
        if (reply == null) {
            return;
        }
        String list = (String) reply.get(1);
        if (doubt || (Long) reply.get(0) == 0 || list.equals(ALL)) {
            askAll(partition);
        } else if (!list.isEmpty()) {
            List.of(list.trim().split(" ", -1)).forEach(granted);
        }
    }

    /** Lets all requests that are queued in a partition ask after the next heartbeat: some may have been granted without a notice. */
    void doubt(Partition partition) {
        lock.lock();
        try {
            Queues queues = partitions.get(partition);
            if (queues != null) {
                queues.inDoubt = true;
            }
        } finally {
            lock.unlock();
        }
    }

    /** Lets all requests that are queued in a partition find out whether they still are. */
    void askAll(Partition partition) {
        List<Queued> all;
        lock.lock();
        try {
            Queues queues = partitions.get(partition);
            all = queues == null ? List.of() : queues.all();
        } finally {
            lock.unlock();
        }
        all.forEach(Queued::ask);
    }

    /** Notifies the servers that no request of this process waits any more. */
    CompletionStage<?> stop() {
        Set<Partition> known;
        lock.lock();
        try {
            known = Set.copyOf(partitions.keySet());
            partitions.clear();
        } finally {
            lock.unlock();
        }
        return Stages.all(known, this::end);
    }
}
