package dev.lockstep.inventory;

import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Looks values up by key, many keys with one query. While queries run, further keys wait and go into the next query together, so a
 * crowd of callers uses two connections at most. A caller that comes alone waits for no other. A caller that stops waiting completes its
 * future, so that its key is not looked up any more.
 */
final class SharedLookup<V> {
    /** Two, so that one connection that hangs doesn't stop all look-ups. */
    private static final int QUERIES_AT_ONCE = 2;

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
    private int running;
    private int cleanAt = FEW;

    SharedLookup(Query<V> query, Executor threads) {
        this.query = query;
        this.threads = threads;
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
        lock.lock();
        try {
            queue.add(question);
            if (queue.size() >= cleanAt) {
                removeDone();
            }
            if (running == QUERIES_AT_ONCE) {
                return false;
            }
            running++;
            return true;
        } finally {
            lock.unlock();
        }
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
        try {
            List<Question<V>> questions = next();
            if (!questions.isEmpty()) {
                answer(questions);
            }
        } finally {
            if (isLeft()) {
                runLater();
            }
        }
    }

    private void runLater() {
        try {
            threads.execute(this::runOnce);
        } catch (RuntimeException | Error e) { // else this query would count as running forever
            notRun().forEach(question -> question.answer().completeExceptionally(e));
        }
    }

    /** Counts a query as ended; returns the questions that no other query takes. */
    private List<Question<V>> notRun() {
        lock.lock();
        try {
            running--;
            List<Question<V>> left = running == 0 ? List.copyOf(queue) : List.of();
            if (running == 0) {
                queue.clear();
            }
            return left;
        } finally {
            lock.unlock();
        }
    }

    private List<Question<V>> next() {
        lock.lock();
        try {
            List<Question<V>> next = new ArrayList<>(Math.min(queue.size(), KEYS_PER_QUERY));
            while (!queue.isEmpty() && next.size() < KEYS_PER_QUERY) {
                Question<V> question = queue.remove();
                if (!question.isDone()) {
                    next.add(question);
                }
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
            if (queue.isEmpty()) {
                running--;
                return false;
            }
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
