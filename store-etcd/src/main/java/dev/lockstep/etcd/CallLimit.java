package dev.lockstep.etcd;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * How long responses are waited for.
 *
 * @param from the members that respond, for people to read
 */
record CallLimit(String from, Duration within) {
    /**
     * Waits for a response, not forever, and not to be interrupted: what was asked of etcd is done whether or not the caller waits. A call
     * may be sent again once, to another member or with a new token.
     */
    <T> T await(CompletionStage<T> response, String doing) {
        boolean interrupted = false;
        long end = System.nanoTime() + 2 * within.toNanos() + TimeUnit.SECONDS.toNanos(1);
        try {
            while (true) {
                try {
                    return response.toCompletableFuture().get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (TimeoutException e) {
            throw missing(doing);
        } catch (ExecutionException e) {
            throw EtcdErrors.of(e, doing, List.of());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    LockException missing(String doing) {
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                doing + " failed: etcd at " + from + " did not answer within " + within.toMillis()
                        + " ms. Try again when a majority of the members can be reached.",
                List.of(),
                null);
    }

    static LockException closed() {
        return new LockException(ErrorCode.CLOSED, "The etcd store is closed.", List.of(), null);
    }
}
