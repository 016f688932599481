package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.sql.Fault;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks values up by key, many keys with one query. While a query runs, further keys wait and go into the next query together, so a
 * crowd of callers uses two connections at most. A lone caller never waits. A caller that stops waiting completes its
 * future, so that its key is not looked up any more.
 *
 * <p>If keys were added while a query ran, the next query starts after a pause, a multiple of the query's duration. Without a pause, a
 * crowd keeps the database and the processors busy with small queries, one after the other, and other requests starve.
 */
final class SharedLookup<V> {
    private static final Logger LOG = LoggerFactory.getLogger(SharedLookup.class);

    /** Two, so that one connection that hangs doesn't stop all look-ups. */
    private static final int QUERIES_AT_ONCE = 2;

    /** A query for several keys that takes longer may hang, and a second one starts for the keys that wait. */
    private static final long SLOW = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

    private static final int KEYS_PER_QUERY = 512;

    /** From this many on, questions without a caller are removed whenever their number has doubled. */
    private static final int FEW = 1_024;

    /** Reads the values of some keys; a key without a value is absent. */
    @FunctionalInterface
    interface Query<V> {
        Map<String, V> run(List<String> keys) throws SQLException;
    }

    private record Question<V>(String key, CompletableFuture<Optional<V>> answer) {
        /** Whether its caller has stopped waiting. */
        boolean isDone() {
            return answer.isDone();
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Queue<Question<V>> queue = new ArrayDeque<>();
    private final Query<V> query;
    private final Executor threads;
    private final LockClock clock;
    private final Timer timer;
    private final int pauseFactor;
    private int running;
    private boolean paused;
    private boolean secondIsScheduled;
    private boolean shared;
    private long startedAt;
    private int cleanAt = FEW;

    /** With a pause of this many times a query's duration before the next query. */
    SharedLookup(Query<V> query, Executor threads, LockClock clock, Timer timer, int pauseFactor) {
        this.query = query;
        this.threads = threads;
        this.clock = clock;
        this.timer = timer;
        this.pauseFactor = pauseFactor;
    }

    /** Looks a key up; the query may run on this thread. */
    CompletableFuture<Optional<V>> ask(String key) {
        Question<V> question = new Question<>(key, new CompletableFuture<>());
        if (add(question)) {
            runOnce();
        }
        return question.answer();
    }

    /** Looks a key up without blocking this thread. */
    CompletableFuture<Optional<V>> askLater(String key) {
        Question<V> question = new Question<>(key, new CompletableFuture<>());
        if (add(question)) {
            runLater();
        }
        return question.answer();
    }

    /** Queues a question; returns whether the caller must run a query. */
    private boolean add(Question<V> question) {
        boolean schedule;
        lock.lock();
        try {
            queue.add(question);
            if (queue.size() >= cleanAt) {
                removeDone();
            }
            if (running == 0 || (running < QUERIES_AT_ONCE && isSecondNeeded())) {
                running++;
                return true;
            }
            schedule = mustScheduleSecond();
        } finally {
            lock.unlock();
        }
        if (schedule) {
            scheduleSecond();
        }
        return false;
    }

    /** Whether the queue depends on one running query, and nothing looks yet whether it takes long. */
    private boolean mustScheduleSecond() {
        boolean must = running == 1 && !paused && !secondIsScheduled && !queue.isEmpty();
        secondIsScheduled |= must;
        return must;
    }

    private void scheduleSecond() {
        try {
            timer.after(Duration.ofNanos(SLOW), threads, this::runSecondIfNeeded);
        } catch (RuntimeException | Error e) { // without memory for a thread: the next caller tries again
            LOG.debug("No second query is scheduled", e);
            noSecondIsScheduled();
        }
    }

    private void noSecondIsScheduled() {
        lock.lock();
        try {
            secondIsScheduled = false;
        } finally {
            lock.unlock();
        }
    }

    /** The query that was running when this was scheduled may hang, and no further caller may come. */
    private void runSecondIfNeeded() {
        boolean run;
        boolean schedule;
        lock.lock();
        try {
            secondIsScheduled = false;
            run = running == 1 && !queue.isEmpty() && isSecondNeeded();
            running += run ? 1 : 0;
            schedule = mustScheduleSecond();
        } finally {
            lock.unlock();
        }
        if (schedule) {
            scheduleSecond();
        }
        if (run) {
            runOnce();
        }
    }

    /** Not if a query is about to start anyway, or one for several keys is running that has not taken long. */
    private boolean isSecondNeeded() {
        return !paused && (!shared || clock.nanos() - startedAt > SLOW);
    }

    /** While the database hangs no query takes questions out, and those whose callers have left would pile up. */
    private void removeDone() {
        queue.removeIf(Question::isDone);
        cleanAt = Math.max(FEW, 2 * queue.size());
    }

    int waiting() {
        lock.lock();
        try {
            return queue.size();
        } finally {
            lock.unlock();
        }
    }

    private void runOnce() {
        run(false);
    }

    private void run(boolean afterPause) {
        long since = clock.nanos();
        try {
            List<Question<V>> questions = next(afterPause, since);
            if (!questions.isEmpty()) {
                answer(questions);
            }
        } finally {
            if (isLeft()) {
                pause(Math.min(pauseFactor * (clock.nanos() - since), LONGEST_PAUSE));
            }
        }
    }

    private void pause(long nanos) {
        AtomicBoolean started = new AtomicBoolean();
        Runnable next = () -> {
            if (started.compareAndSet(false, true)) {
                run(true);
            }
        };
        try {
            if (nanos > 0) {
                timer.after(Duration.ofNanos(nanos), threads, next);
                return;
            }
        } catch (RuntimeException | Error e) {
            LOG.debug("The next query starts without a pause", e);
        }
        start(next, () -> started.compareAndSet(false, true));
    }

    private void runLater() {
        start(this::runOnce, () -> true);
    }

    /** Has a thread run a query. If that fails, the query is given up unless it was started elsewhere: else it would count as running forever. */
    private void start(Runnable task, BooleanSupplier giveUp) {
        try {
            threads.execute(task);
        } catch (RuntimeException | Error e) {
            if (giveUp.getAsBoolean()) {
                notRun().forEach(question -> question.answer().completeExceptionally(e));
            }
        }
    }

    /** Counts a query as ended; returns the questions that no other query takes. */
    private List<Question<V>> notRun() {
        lock.lock();
        try {
            running--;
            paused = false;
            List<Question<V>> left = running == 0 ? List.copyOf(queue) : List.of();
            if (running == 0) {
                queue.clear();
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    private List<Question<V>> next(boolean afterPause, long since) {
        lock.lock();
        try {
            if (paused && !afterPause) {
                return List.of(); // the paused query takes them
            }
            paused = false;
            List<Question<V>> next = new ArrayList<>(Math.min(queue.size(), KEYS_PER_QUERY));
            while (!queue.isEmpty() && next.size() < KEYS_PER_QUERY) {
                Question<V> question = queue.remove();
                if (!question.isDone()) {
                    next.add(question);
                }
            }
            if (!next.isEmpty()) {
                shared = next.size() > 1;
                startedAt = since;
            }
            return next;
        } finally {
            lock.unlock();
        }
    }

    /** Whether another query must follow; if not, this one no longer counts as running. */
    private boolean isLeft() {
        lock.lock();
        try {
            if (paused || queue.isEmpty()) {
                running--;
                shared = false; // of the query that may still run, only the other one's state is known
                return false;
            }
            paused = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void answer(List<Question<V>> questions) {
        List<String> keys = questions.stream().map(Question::key).distinct().toList();
        try {
            Map<String, V> found = runUninterrupted(keys);
            questions.forEach(question -> question.answer().complete(Optional.ofNullable(found.get(question.key()))));
        } catch (SQLException | RuntimeException | Error e) {
            questions.forEach(question -> question.answer().completeExceptionally(e));
        }
    }

    /** An interrupt of the thread that happens to run the query must not fail the other callers. */
    private Map<String, V> runUninterrupted(List<String> keys) throws SQLException {
        boolean interrupted = Thread.interrupted();
        try {
            while (true) {
                try {
                    return query.run(keys);
                } catch (SQLException e) {
                    if (Fault.of(e) != Fault.INTERRUPTED) {
                        throw e;
                    }
                    interrupted = true;
                    Thread.interrupted();
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
