package dev.lockstep.core.spi;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Carries events to one listener, off the threads that publish them. When it has told all there is, it rests for a moment before it waits for
 * more: to be woken for each of many events would cost their publishers more than the events.
 */
final class EventPump<E> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventPump.class);
    private static final int CAPACITY = 8_192;
    private static final long REST_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final Consumer<? super E> listener;
    private final LongFunction<@Nullable E> notice;
    private final BlockingQueue<E> queue = new ArrayBlockingQueue<>(CAPACITY);
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean closed;

    EventPump(String threadName, Consumer<? super E> listener, LongFunction<@Nullable E> notice) {
        this.listener = listener;
        this.notice = notice;
        Thread thread = new Thread(this::run, threadName);
        thread.setDaemon(true);
        thread.start();
    }

    void offer(E event) {
        if (!queue.offer(event)) {
            dropped.incrementAndGet();
        }
    }

    private void run() {
        while (!closed || !queue.isEmpty()) {
            try {
                @Nullable E event = queue.poll(1, TimeUnit.SECONDS);
                tellDropped();
                if (event != null) {
                    tellAllFrom(event);
                    LockSupport.parkNanos(this, REST_NANOS);
                }
            } catch (InterruptedException e) {
                LOG.debug("The listener {} left an interrupt behind", listener);
            }
        }
    }

    private void tellAllFrom(E first) {
        for (@Nullable E event = first; event != null; event = queue.poll()) {
            tell(event);
            tellDropped();
        }
    }

    private void tellDropped() {
        long count = dropped.getAndSet(0);
        if (count > 0) {
            LOG.warn("The listener {} is too slow: {} events were dropped", listener, count);
            E told = notice.apply(count);
            if (told != null) {
                tell(told);
            }
        }
    }

    private void tell(E event) {
        try {
            listener.accept(event);
        } catch (Throwable e) {
            LOG.warn("The listener {} failed on {}", listener, event, e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
