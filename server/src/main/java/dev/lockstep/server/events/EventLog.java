package dev.lockstep.server.events;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.databind.ObjectMapper;

/**
 * The last events of this server, numbered, and those who listen to them. An event's id is {@code <start>-<number>}: one of another
 * start is of a server that is gone, and what it told can't be resumed.
 */
@Component
final class EventLog {
    private static final int MOST_EVENTS = 4_000;
    private static final int MOST_BYTES = 8 << 20;

    private final long start = System.currentTimeMillis();
    private final ObjectMapper json;
    private final Deque<LoggedEvent> kept = new ArrayDeque<>();
    private final List<Backlog> listeners = new ArrayList<>();
    private long last;
    private int bytes;

    EventLog(ObjectMapper json) {
        this.json = json;
    }

    /** Gives an event its number, keeps it, and sends it to all listeners. */
    void add(News news) {
        List<Backlog> told;
        synchronized (this) {
            LoggedEvent event = told(++last, news);
            keep(event);
            listeners.forEach(each -> each.offer(event));
            told = List.copyOf(listeners);
        }
        told.forEach(Backlog::drain);
    }

    private LoggedEvent told(long number, News news) {
        return new LoggedEvent(number, news.type(), id(number), json.writeValueAsString(news.numbered(id(number))));
    }

    private void keep(LoggedEvent event) {
        kept.add(event);
        bytes += event.bytes();
        while (kept.size() > MOST_EVENTS || bytes > MOST_BYTES) {
            bytes -= kept.remove().bytes();
        }
    }

    private String id(long number) {
        return start + "-" + number;
    }

    /** An event for one listener: it missed this many before this number. */
    LoggedEvent gap(long number, @Nullable Long missed, String text) {
        return told(number, News.gap(Instant.now(), missed, text));
    }

    /** Sends a listener what is kept of what came after the given place, and everything from now on. */
    synchronized Runnable join(Backlog listener, EventId after) {
        replay(listener, after);
        listeners.add(listener);
        AtomicBoolean gone = new AtomicBoolean();
        return () -> {
            if (gone.compareAndSet(false, true)) {
                leave(listener);
            }
        };
    }

    private void replay(Backlog listener, EventId after) {
        if (after.isNow()) {
            return;
        }
        boolean ours = after.start() == start;
        long from = ours ? after.number() : 0;
        long first = kept.isEmpty() ? last + 1 : kept.element().number();
        if (!ours && !after.isBeginning()) {
            listener.offer(gap(first - 1, null, "The server was started again. What was not sent before is not kept"));
        } else if (ours && from + 1 < first) {
            long missed = first - 1 - from;
            listener.offer(gap(first - 1, missed, missed + " events are not kept any more"));
        }
        kept.stream().filter(event -> event.number() > from).forEach(listener::offer);
    }

    private synchronized void leave(Backlog listener) {
        listeners.remove(listener);
    }

    synchronized int listeners() {
        return listeners.size();
    }
}
