package dev.lockstep.server.events;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockEvent.AcquireFailed;
import dev.lockstep.core.LockEvent.Acquired;
import dev.lockstep.core.LockEvent.Lost;
import dev.lockstep.core.LockEvent.TimedOut;
import dev.lockstep.core.LockFigures;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Counts what happens to locks, second by second for ten minutes, and key by key. */
@Component
final class ContentionMeter {
    private static final int SECONDS = 600;

    private final @Nullable SecondBucket[] ring = new SecondBucket[SECONDS];
    private final HottestKeys keys = new HottestKeys();

    synchronized void on(LockEvent event) {
        long second = event.at().getEpochSecond();
        if (event instanceof Acquired acquired) {
            at(second).acquired(acquired.waited());
            acquired.subject().keys().forEach(key -> keys.of(key, second).acquired(acquired.waited()));
        } else if (event instanceof TimedOut over) {
            at(second).timedOut(over.waited());
            keys.of(over.busy().key(), second).timedOut(over.waited());
        } else if (event instanceof AcquireFailed) {
            at(second).failed();
        } else if (event instanceof Lost) {
            at(second).lost();
        }
    }

    synchronized void sample(LockFigures figures, Instant now) {
        at(now.getEpochSecond()).sampled(figures);
    }

    private SecondBucket at(long second) {
        int place = Math.floorMod(second, SECONDS);
        @Nullable SecondBucket there = ring[place];
        if (there == null || !there.is(second)) {
            there = new SecondBucket(second);
            ring[place] = there;
        }
        return there;
    }

    synchronized ContentionView view(Instant now) {
        long earliest = now.getEpochSecond() - SECONDS + 1;
        List<ContentionView.Point> points = new ArrayList<>();
        for (@Nullable SecondBucket each : ring) {
            if (each != null && each.isSince(earliest)) {
                points.add(each.point());
            }
        }
        points.sort(Comparator.comparing(ContentionView.Point::at));
        return new ContentionView(now, 1_000, points, keys.hottest(now.getEpochSecond()));
    }
}
