package dev.lockstep.server.events;

import static java.util.Map.entry;

import dev.lockstep.core.Busy;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockEvent.AcquireFailed;
import dev.lockstep.core.LockEvent.Acquired;
import dev.lockstep.core.LockEvent.Deadlocked;
import dev.lockstep.core.LockEvent.Dropped;
import dev.lockstep.core.LockEvent.Lost;
import dev.lockstep.core.LockEvent.OrderViolated;
import dev.lockstep.core.LockEvent.Refused;
import dev.lockstep.core.LockEvent.ReleaseFailed;
import dev.lockstep.core.LockEvent.Released;
import dev.lockstep.core.LockEvent.RenewalFailed;
import dev.lockstep.core.LockEvent.Renewed;
import dev.lockstep.core.LockEvent.Subject;
import dev.lockstep.core.LockEvent.TimedOut;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.ReleaseOutcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Events of locks in plain words. */
final class LockNews {
    private static final int NAMED = 3;
    private static final Map<Class<? extends LockEvent>, EventType> TYPES = Map.ofEntries(
            entry(Acquired.class, EventType.ACQUIRED),
            entry(Released.class, EventType.RELEASED),
            entry(Renewed.class, EventType.RENEWED),
            entry(Refused.class, EventType.REFUSED),
            entry(TimedOut.class, EventType.TIMED_OUT),
            entry(AcquireFailed.class, EventType.ACQUIRE_FAILED),
            entry(OrderViolated.class, EventType.ORDER_VIOLATED),
            entry(Deadlocked.class, EventType.DEADLOCKED),
            entry(RenewalFailed.class, EventType.RENEWAL_FAILED),
            entry(Lost.class, EventType.LOST),
            entry(ReleaseFailed.class, EventType.RELEASE_FAILED));

    private final String node;

    /** Of the server of this name, which its leases carry. */
    LockNews(String node) {
        this.node = node;
    }

    /** What kind of news it will be, without the cost of making it. */
    static EventType type(LockEvent event) {
        return PairNews.type(event).orElseGet(() -> TYPES.getOrDefault(event.getClass(), EventType.GAP));
    }

    News of(LockEvent event) {
        if (event instanceof Acquired acquired) {
            return news(event, acquired.subject(), "has", waited(acquired.waited()))
                    .waited(acquired.waited());
        }
        if (event instanceof Released released) {
            return news(event, released.subject(), gaveBack(released), " (held " + millis(released.held()) + ")")
                    .held(released.held());
        }
        if (event instanceof Refused refused) {
            return news(event, refused.subject(), "was refused", inTheWay(refused.busy()));
        }
        if (event instanceof TimedOut over) {
            return news(event, over.subject(), "gave up waiting for", waited(over.waited()) + inTheWay(over.busy()))
                    .waited(over.waited());
        }
        if (event instanceof AcquireFailed failed) {
            return news(event, failed.subject(), "did not get", ": " + reason(failed.error()))
                    .waited(failed.waited());
        }
        if (event instanceof Renewed renewed) {
            return news(event, renewed.subject(), "keeps", " until " + renewed.expiresAt());
        }
        return ofRare(event);
    }

    private News ofRare(LockEvent event) {
        if (event instanceof RenewalFailed failed) {
            return news(event, failed.subject(), "could not extend", ": " + reason(failed.error()));
        }
        if (event instanceof Lost lost) {
            return news(event, lost.subject(), "has lost", ": " + lost.loss());
        }
        if (event instanceof ReleaseFailed failed) {
            return news(event, failed.subject(), "could not release", ": " + reason(failed.error()));
        }
        if (event instanceof Deadlocked deadlocked) {
            String others = deadlocked.report().cycle().stream()
                    .map(each -> each.owner())
                    .distinct()
                    .collect(Collectors.joining(", "));
            return news(event, deadlocked.subject(), "was failed to end a deadlock over", " between " + others);
        }
        if (event instanceof OrderViolated violated) {
            return News.of(
                    EventType.ORDER_VIOLATED, event.at(), violated.violation().toString());
        }
        return PairNews.of(event).orElseGet(() -> gap(event));
    }

    private static News gap(LockEvent event) {
        long missed = ((Dropped) event).count();
        return News.gap(event.at(), missed, missed + " events of locks came faster than they could be sent");
    }

    private News news(LockEvent event, Subject subject, String does, String more) {
        return News.of(type(event), event.at(), subject.owner() + " " + does + " " + some(subject.keys()) + more)
                .about(subject, node);
    }

    private static String gaveBack(Released released) {
        return released.outcome() == ReleaseOutcome.RELEASED ? "released" : "ended its lost lease of";
    }

    private static String inTheWay(Busy busy) {
        return busy.holder().map(owner -> ": " + owner + " is in the way").orElse("");
    }

    private static String waited(Duration time) {
        return time.toMillis() == 0 ? "" : " (waited " + millis(time) + ")";
    }

    private static String millis(Duration time) {
        return time.toMillis() + " ms";
    }

    private static String reason(Throwable error) {
        String message = error.getMessage();
        return message == null ? error.getClass().getSimpleName() : message;
    }

    static String some(List<LockKey> keys) {
        String named = keys.stream().limit(NAMED).map(LockKey::toString).collect(Collectors.joining(", "));
        return keys.size() <= NAMED ? named : named + " and " + (keys.size() - NAMED) + " more";
    }
}
