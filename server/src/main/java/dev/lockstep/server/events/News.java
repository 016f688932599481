package dev.lockstep.server.events;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockKey;
import dev.lockstep.inventory.StockKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Something that happened, before it has its place in the log. */
record News(
        EventType type,
        Instant at,
        String text,
        @Nullable String leaseName,
        @Nullable String owner,
        List<String> keys,
        @Nullable Long waitedMs,
        @Nullable Long heldMs,
        @Nullable StockKey stock,
        @Nullable String outcome,
        @Nullable Long count,
        @Nullable Long missed) {
    /** More keys than this are left out: an event is for people to read. */
    private static final int MOST_KEYS = 20;

    static News of(EventType type, Instant at, String text) {
        return new News(type, at, text, null, null, List.of(), null, null, null, null, null, null);
    }

    /** That this many events were dropped; an unknown number with {@code null}. */
    static News gap(Instant at, @Nullable Long missed, String text) {
        return new News(EventType.GAP, at, text, null, null, List.of(), null, null, null, null, null, missed);
    }

    News about(LockEvent.Subject subject, String node) {
        List<String> some =
                subject.keys().stream().limit(MOST_KEYS).map(LockKey::toString).toList();
        String lease = node + "." + subject.leaseId(); // as the locks of this server call it
        return new News(type, at, text, lease, subject.owner(), some, waitedMs, heldMs, stock, outcome, count, missed);
    }

    News about(StockKey key) {
        return new News(type, at, text, leaseName, owner, keys, waitedMs, heldMs, key, outcome, count, missed);
    }

    News waited(Duration time) {
        return new News(type, at, text, leaseName, owner, keys, time.toMillis(), heldMs, stock, outcome, count, missed);
    }

    News held(Duration time) {
        return new News(
                type, at, text, leaseName, owner, keys, waitedMs, time.toMillis(), stock, outcome, count, missed);
    }

    News outcome(String name) {
        return new News(type, at, text, leaseName, owner, keys, waitedMs, heldMs, stock, name, count, missed);
    }

    /** The number of events that it stands for. */
    News counting(long events) {
        return new News(type, at, text, leaseName, owner, keys, waitedMs, heldMs, stock, outcome, events, missed);
    }

    Event numbered(String id) {
        return new Event(
                id,
                at,
                type.wire(),
                type.about(),
                text,
                leaseName,
                owner,
                keys.isEmpty() ? null : keys,
                waitedMs,
                heldMs,
                stock == null ? null : stock.sku(),
                stock == null ? null : stock.location(),
                outcome,
                count,
                missed);
    }
}
