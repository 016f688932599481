package dev.lockstep.server.locks;

import dev.lockstep.core.Busy;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.server.http.ClientWords;
import dev.lockstep.server.http.LockFaults;
import dev.lockstep.server.http.Problem;
import dev.lockstep.server.locks.restart.GrantGate;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;

/** The problems of locks that clients get. */
final class LockProblems {
    private static final Logger LOG = LoggerFactory.getLogger(LockProblems.class);

    private LockProblems() {}

    /** Leases in the way are called as lists call them. */
    static Throwable of(Throwable error, Duration waited, Function<UUID, String> nameOf) {
        Throwable cause = cause(error);
        if (cause instanceof LockTimeoutException timeout) {
            return busy(timeout, waited, nameOf);
        }
        return cause instanceof LockException failure ? of(failure) : cause;
    }

    static Throwable cause(Throwable error) {
        return error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
    }

    private static Problem busy(LockTimeoutException timeout, Duration waited, Function<UUID, String> nameOf) {
        Busy busy = timeout.busy();
        Instant now = Instant.now();
        return Problem.of(HttpStatus.CONFLICT, "lock-timeout", true, busyText(timeout))
                .with("key", busy.key().toString())
                .with("mode", busy.mode().symbol())
                .with("waitedMs", waited.toMillis())
                .with(
                        "blockers",
                        busy.blockers().stream()
                                .map(each -> BlockerView.of(each, nameOf.apply(each.leaseId()), now))
                                .toList());
    }

    private static String busyText(LockTimeoutException timeout) {
        return ClientWords.of(String.valueOf(timeout.getMessage()));
    }

    /** What is not about the clients' leases has the words of the http room. */
    static Problem of(LockException failure) {
        return switch (failure.code()) {
            case INVALID_REQUEST -> Problem.invalid("keys", ClientWords.of(String.valueOf(failure.getMessage())));
            case LEASE_LOST -> leaseExpired();
            case CLOSED, ABORTED, INTERRUPTED -> GrantGate.shuttingDown();
            case STORE_FAILED -> failed(failure);
            default -> LockFaults.problem(failure);
        };
    }

    private static Problem failed(LockException failure) {
        LOG.warn("The store of the locks failed", failure);
        return LockFaults.problem(failure);
    }

    static Problem notOwner() {
        return Problem.of(
                HttpStatus.FORBIDDEN,
                "not-owner",
                false,
                "Only the owner of a lease can renew or release it, by the leaseId that it was answered when it acquired the locks. What"
                        + " lists, events and refusals show is the lease's name, which can't. Nothing was changed.");
    }

    static Problem leaseExpired() {
        return Problem.of(
                HttpStatus.GONE,
                "lease-expired",
                false,
                "This server keeps no such lease: it was released or has expired, the server was started again, or it never"
                        + " was. What it may still lock ends with its time at the latest; take the locks again.");
    }
}
