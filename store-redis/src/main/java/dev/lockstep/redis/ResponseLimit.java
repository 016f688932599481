package dev.lockstep.redis;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How long answers are waited for.
 *
 * @param from whose answers they are, for people to read
 */
record ResponseLimit(String from, Duration within) {
    /**
     * Waits for an answer, not forever, and not to be interrupted: what was asked of the server will be done whether or not the caller waits.
     */
    <T> T await(CompletionStage<T> answer, String doing) {
        boolean interrupted = false;
        long end = System.nanoTime() + within.toNanos();
        try {
            while (true) {
                try {
                    return answer.toCompletableFuture().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            throw missing(doing);
        } catch (ExecutionException e) {
            throw RedisErrors.of(e, doing, List.of());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    LockException missing(String doing) {
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                doing + " failed: " + from + " didn't answer within " + within.toMillis()
                        + " ms. Try again when it does.",
                List.of(),
                null);
    }

    static LockException closed() {
        return new LockException(ErrorCode.CLOSED, "The Redis store is closed.", List.of(), null);
    }
}
