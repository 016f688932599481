package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.GaveUp.Reason;
import dev.lockstep.inventory.books.PendingCommand;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Waits for the outcome of a command: until its deadline, and then, if it has begun and can't be withdrawn any more, as long as the
 * database may take to answer.
 */
final class OutcomeAwaiter {
    private static final Duration NOTICE = Duration.ofMillis(50);

    private OutcomeAwaiter() {}

    static Outcome await(PendingCommand work, Duration answerWithin) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return waitFor(work, answerWithin);
                } catch (InterruptedException e) {
                    interrupted = true;
                    if (work.withdraw()) {
                        work.complete(new GaveUp(work.requestId(), Reason.INTERRUPTED, NOTICE));
                    }
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Outcome waitFor(PendingCommand work, Duration answerWithin) throws InterruptedException {
        try {
            return work.answer().get(work.deadline().remainingNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return work.withdraw() ? work.late() : waitOn(work, answerWithin);
        } catch (ExecutionException e) {
            throw new IllegalStateException("Answers never fail", e);
        }
    }

    private static Outcome waitOn(PendingCommand work, Duration answerWithin) throws InterruptedException {
        try {
            return work.answer().get(answerWithin.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return work.late();
        } catch (ExecutionException e) {
            throw new IllegalStateException("Answers never fail", e);
        }
    }

    /** The same without a thread. */
    static CompletableFuture<Outcome> later(PendingCommand work, Duration answerWithin) {
        return work.answer()
                .copy()
                .orTimeout(Math.max(1, work.deadline().remainingNanos()), TimeUnit.NANOSECONDS)
                .exceptionallyCompose(late ->
                        work.withdraw() ? CompletableFuture.completedFuture(work.late()) : laterOn(work, answerWithin));
    }

    private static CompletableFuture<Outcome> laterOn(PendingCommand work, Duration answerWithin) {
        return work.answer()
                .copy()
                .orTimeout(answerWithin.toNanos(), TimeUnit.NANOSECONDS)
                .exceptionally(late -> work.late());
    }
}
