package dev.lockstep.server.events;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.FluxSink;

/**
 * What waits for one client. When it is full the oldest goes, and the client gets the number of lost events; so a client that reads slowly, or not at
 * all, costs so much memory and no more.
 */
final class Backlog {
    private final EventLog log;
    private final FluxSink<LoggedEvent> client;
    private final Set<EventType> types;
    private final int most;
    private final Deque<LoggedEvent> waiting = new ArrayDeque<>();
    private final AtomicInteger draining = new AtomicInteger();
    private long missed;
    private long lastMissed;

    /** For a client that wants events of these types; {@code most} wait for it. */
    Backlog(EventLog log, FluxSink<LoggedEvent> client, Set<EventType> types, int most) {
        this.log = log;
        this.client = client;
        this.types = types;
        this.most = most;
    }

    synchronized void offer(LoggedEvent event) {
        if (event.type() != EventType.GAP && !types.contains(event.type())) {
            return;
        }
        if (waiting.size() >= most) {
            lastMissed = waiting.remove().number();
            missed++;
        }
        waiting.add(event);
    }

    /** Sends what the client is ready for. One thread does it; another that comes meanwhile has it look once more. */
    void drain() {
        if (draining.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            while (client.requestedFromDownstream() > 0) {
                @Nullable LoggedEvent next = take();
                if (next == null) {
                    break;
                }
                client.next(next);
            }
            seen = draining.addAndGet(-seen);
        } while (seen != 0);
    }

    private synchronized @Nullable LoggedEvent take() {
        if (missed > 0) {
            long count = missed;
            missed = 0;
            return log.gap(lastMissed, count, count + " events were dropped: this client reads too slowly");
        }
        return waiting.poll();
    }
}
