package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.books.PendingCommand;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Admits one request per stock at a time. The others would only wait for the same row, each on a worker and a connection, and requests
 * for other stock would find none. Stocks are entered in the global lock order, so orders that cross don't deadlock.
 */
final class StockGate implements Admission {
    private static final Logger LOG = LoggerFactory.getLogger(StockGate.class);

    private static final class Visitor {
        private final List<StockKey> keys;
        private final Consumer<Runnable> start;
        private int entered;

        private Visitor(List<StockKey> keys, Consumer<Runnable> start) {
            this.keys = keys;
            this.start = start;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<StockKey, Queue<Visitor>> waiting = new HashMap<>();

    @Override
    public void admit(PendingCommand work, Consumer<Runnable> start) {
        Visitor visitor = new Visitor(work.lines().stream().map(StockLine::key).toList(), start);
        if (enterAll(visitor)) {
            try {
                start(visitor);
            } catch (RuntimeException | Error e) {
                leave(visitor);
                throw e;
            }
        }
    }

    private void start(Visitor visitor) {
        visitor.start.accept(() -> leave(visitor));
    }

    /** Returns whether every stock is entered; if not, the visitor waits at one of them. */
    private boolean enterAll(Visitor visitor) {
        lock.lock();
        try {
            while (visitor.entered < visitor.keys.size()) {
                StockKey key = visitor.keys.get(visitor.entered++);
                @Nullable Queue<Visitor> queue = waiting.putIfAbsent(key, new ArrayDeque<>());
                if (queue != null) {
                    queue.add(visitor);
                    return false;
                }
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** Lets the next visitors in. One that can't be started leaves too: those behind it must not wait forever. */
    private void leave(Visitor first) {
        Queue<Visitor> leaving = new ArrayDeque<>(List.of(first));
        while (!leaving.isEmpty()) {
            for (StockKey key : leaving.remove().keys) {
                @Nullable Visitor next = next(key);
                if (next != null && enterAll(next) && !isStarted(next)) {
                    leaving.add(next);
                }
            }
        }
    }

    private boolean isStarted(Visitor visitor) {
        try {
            start(visitor);
            return true;
        } catch (RuntimeException | Error e) { // its request times out, and the caller may retry
            LOG.warn("A request for {} could not be started: {}", visitor.keys, e.toString());
            return false;
        }
    }

    private @Nullable Visitor next(StockKey key) {
        lock.lock();
        try {
            @Nullable Queue<Visitor> queue = waiting.get(key);
            @Nullable Visitor next = queue == null ? null : queue.poll();
            if (next == null) {
                waiting.remove(key);
            }
            return next;
        } finally {
            lock.unlock();
        }
    }
}
