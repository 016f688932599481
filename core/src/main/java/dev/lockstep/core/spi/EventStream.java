package dev.lockstep.core.spi;

import dev.lockstep.core.Locks;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Carries events to listeners, each with a queue and its own thread: none holds up the publisher or another. What a
 * listener is too slow for is dropped, and it gets their number.
 */
public final class EventStream<E> implements AutoCloseable {
    private final String threadName;
    private final LongFunction<@Nullable E> dropped;
    private final List<EventPump<E>> pumps = new CopyOnWriteArrayList<>();

    /** A stream without listeners, in which nothing but the log reports events that were dropped. */
    public EventStream(String threadName) {
        this(threadName, count -> null);
    }

    /** A stream without listeners; {@code dropped} makes the notice that this many events were dropped. */
    public EventStream(String threadName, LongFunction<@Nullable E> dropped) {
        this.threadName = threadName;
        this.dropped = dropped;
    }

    /** Reports all events from now on to a listener, in order. The log names it by its {@code toString()}. */
    public Locks.Subscription subscribe(Consumer<? super E> listener) {
        EventPump<E> pump = new EventPump<>(threadName, listener, dropped);
        pumps.add(pump);
        return () -> {
            pumps.remove(pump);
            pump.close();
        };
    }

    /** Whether it is worth making an event. */
    public boolean areHeard() {
        return !pumps.isEmpty();
    }

    /** Queues an event for each listener, without waiting. */
    public void publish(E event) {
        pumps.forEach(pump -> pump.offer(event));
    }

    /** Ends the threads once they have told what is queued. */
    @Override
    public void close() {
        pumps.forEach(EventPump::close);
    }
}
