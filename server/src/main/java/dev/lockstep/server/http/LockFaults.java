package dev.lockstep.server.http;

import dev.lockstep.core.GrantsPausedException;
import dev.lockstep.core.LockException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** Which problem an error of the locks is that no room answered itself. */
public final class LockFaults {
    private LockFaults() {}

    /** The problem that clients get. */
    public static Problem problem(LockException fault) {
        return switch (fault.code()) {
            case INVALID_REQUEST, ORDER_VIOLATION -> of(HttpStatus.BAD_REQUEST, "invalid-request", fault);
            case TIMEOUT -> of(HttpStatus.CONFLICT, "lock-timeout", fault);
            case DEADLOCK -> of(HttpStatus.CONFLICT, "deadlock", fault);
            case KIND_MISMATCH -> of(HttpStatus.BAD_REQUEST, "kind-mismatch", fault);
            case CONFLICT -> of(HttpStatus.SERVICE_UNAVAILABLE, "conflict", fault);
            case LEASE_LOST, STALE_TOKEN -> of(HttpStatus.GONE, "lease-expired", fault);
            case STORE_UNAVAILABLE -> unavailable(fault);
            case STORE_FAILED -> of(HttpStatus.BAD_GATEWAY, "store-failed", fault);
            case CLOSED, INTERRUPTED, ABORTED ->
                Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "shutting-down",
                        true,
                        "This server is stopping, and nothing is held. Ask again once it is back, or ask another.");
        };
    }

    private static Problem unavailable(LockException fault) {
        Problem problem = of(HttpStatus.SERVICE_UNAVAILABLE, "store-unavailable", fault);
        if (!(fault instanceof GrantsPausedException paused)) {
            return problem.withHeader(HttpHeaders.RETRY_AFTER, "1");
        }
        long seconds = paused.remaining().plusMillis(999).toSeconds();
        return problem.withHeader(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, seconds)))
                .with("grantsFrom", Instant.now().plus(paused.remaining()).truncatedTo(ChronoUnit.MILLIS));
    }

    private static Problem of(HttpStatus status, String code, LockException fault) {
        String message = fault.getMessage();
        return Problem.of(
                status, code, fault.retryable(), message == null ? "No details are known." : ClientWords.of(message));
    }
}
