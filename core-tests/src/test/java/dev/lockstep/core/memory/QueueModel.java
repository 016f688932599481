package dev.lockstep.core.memory;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What the in-memory store should do, as naively as it can be written: one list of requests, searched from the start for
 * every question. No expired lease holds anything.
 */
final class QueueModel {
    enum State {
        WAITING,
        GRANTED,
        BUSY,
        CANCELLED,
        EXPIRED,
        RELEASED
    }

    /** One request and where it has come to. */
    static final class Entry {
        final Asking asking;
        final List<PlannedLock> plan;
        State state = State.WAITING;
        boolean queued;
        int taken;
        long arrived;
        long expiry;
        PlannedLock refusedAt;

        Entry(Asking asking) {
            this.asking = asking;
            plan = asking.plan().locks();
        }

        UUID id() {
            return asking.leaseId();
        }

        PlannedLock next() {
            return plan.get(taken);
        }

        List<PlannedLock> held() {
            return plan.subList(0, taken);
        }
    }

    /** One lock that someone has. */
    record Had(UUID lease, PlannedLock lock) {}

    /** One request in a queue. */
    record Waits(UUID lease, PlannedLock lock, Set<UUID> blockers) {}

    final List<Entry> entries = new ArrayList<>();
    private long arrivals;
    long now;

    // ---- what is asked

    Entry ask(Asking asking) {
        Entry entry = new Entry(asking);
        entries.add(entry);
        advance(entry);
        return entry;
    }

    void cancel(Entry entry) {
        withdraw(entry, State.CANCELLED);
    }

    void release(Entry entry) {
        entry.state = State.RELEASED;
        giveBack(entry);
    }

    /** When something next happens by itself; the end of time if never. */
    long nextEvent() {
        return entries.stream().mapToLong(QueueModel::event).min().orElse(Long.MAX_VALUE);
    }

    private static long event(Entry entry) {
        return switch (entry.state) {
            case WAITING -> entry.asking.deadline().nanos();
            case GRANTED -> entry.expiry;
            default -> Long.MAX_VALUE;
        };
    }

    /** Moves on to a time before which nothing happens; false when two things happen at it, whose order is open. */
    boolean moveTo(long time) {
        now = time;
        List<Entry> due = entries.stream().filter(entry -> event(entry) <= time).toList();
        for (Entry entry : due) {
            if (entry.state == State.WAITING) {
                entry.refusedAt = entry.next();
                withdraw(entry, State.BUSY);
            } else {
                entry.state = State.EXPIRED;
                giveBack(entry);
            }
        }
        return due.size() <= 1;
    }

    // ---- how it goes on

    private void advance(Entry entry) {
        while (entry.taken < entry.plan.size()) {
            if (!blockers(entry).isEmpty()) {
                if (entry.asking.waits()) {
                    entry.queued = true;
                    entry.arrived = ++arrivals;
                } else {
                    entry.refusedAt = entry.next();
                    entry.state = State.BUSY;
                    entry.taken = 0;
                }
                return;
            }
            entry.taken++;
        }
        entry.state = State.GRANTED;
        entry.expiry = now + entry.asking.term().toNanos();
    }

    private void withdraw(Entry entry, State state) {
        List<Entry> promoted = new ArrayList<>();
        entry.queued = false;
        promote(entry.next().key(), promoted);
        promoted.forEach(this::advance);
        giveBack(entry);
        entry.state = state;
    }

    private void giveBack(Entry entry) {
        List<Entry> promoted = new ArrayList<>();
        while (entry.taken > 0) {
            entry.taken--;
            promote(entry.next().key(), promoted);
        }
        promoted.forEach(this::advance);
    }

    private void promote(LockKey key, List<Entry> promoted) {
        for (Entry entry : queue(key)) {
            if (blockers(entry).isEmpty()) {
                entry.queued = false;
                entry.taken++;
                promoted.add(entry);
            }
        }
    }

    // ---- who is where

    List<Entry> queue(LockKey key) {
        return entries.stream()
                .filter(entry -> entry.queued && entry.next().key().equals(key))
                .sorted(Comparator.comparingLong(entry -> entry.arrived))
                .toList();
    }

    /** Holders in conflict with what the entry wants next, and conflicting requests that came to that key before it. */
    Set<UUID> blockers(Entry entry) {
        PlannedLock wanted = entry.next();
        Set<UUID> blockers = new HashSet<>();
        for (Entry other : entries) {
            if (other == entry) {
                continue;
            }
            boolean holds = other.held().stream().anyMatch(lock -> conflict(lock, wanted));
            boolean isAhead =
                    other.queued && conflict(other.next(), wanted) && (!entry.queued || other.arrived < entry.arrived);
            if (holds || isAhead) {
                blockers.add(other.id());
            }
        }
        return blockers;
    }

    private static boolean conflict(PlannedLock one, PlannedLock other) {
        return one.key().equals(other.key()) && !one.mode().compatibleWith(other.mode());
    }

    Set<Had> holders() {
        Set<Had> all = new HashSet<>();
        entries.forEach(entry -> entry.held().forEach(lock -> all.add(new Had(entry.id(), lock))));
        return all;
    }

    /** The queues, one after the other in the order of their keys. */
    List<Waits> waiters() {
        return entries.stream()
                .filter(entry -> entry.queued)
                .sorted(Comparator.comparing((Entry entry) -> entry.next().key())
                        .thenComparing(entry -> entry.arrived))
                .map(entry -> new Waits(entry.id(), entry.next(), blockers(entry)))
                .toList();
    }

    int usedKeys() {
        return (int) entries.stream()
                .flatMap(entry -> entry.plan.subList(0, entry.queued ? entry.taken + 1 : entry.taken).stream())
                .map(PlannedLock::key)
                .distinct()
                .count();
    }
}
