package dev.lockstep.core;

import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries events to one listener, off the threads that lock. */
final class EventPump implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EventPump.class);
    private static final int CAPACITY = 8_192;

    private final LockListener listener;
    private final LockClock clock;
    private final BlockingQueue<LockEvent> queue = new ArrayBlockingQueue<>(CAPACITY);
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean closed;

    EventPump(LockListener listener, LockClock clock) {
        this.listener = listener;
        this.clock = clock;
        Threads.daemon("lockstep-events", this::run).start();
    }

    void offer(LockEvent event) {
        if (!queue.offer(event)) {
            dropped.incrementAndGet();
        }
    }

    private void run() {
        while (!closed || !queue.isEmpty()) {
            try {
                LockEvent event = queue.poll(1, TimeUnit.SECONDS);
                tellDropped();
                if (event != null) {
                    tell(event);
                }
            } catch (InterruptedException e) {
                LOG.debug("The listener {} left an interrupt behind", listener);
            }
        }
    }

    private void tellDropped() {
        long count = dropped.getAndSet(0);
        if (count > 0) {
            LOG.warn("The listener {} is too slow: {} events were dropped", listener, count);
            tell(new LockEvent.Dropped(Instant.ofEpochMilli(clock.millis()), count));
        }
    }

    private void tell(LockEvent event) {
        try {
            listener.on(event);
        } catch (Throwable e) {
            LOG.warn("The listener {} failed on {}", listener, event, e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
