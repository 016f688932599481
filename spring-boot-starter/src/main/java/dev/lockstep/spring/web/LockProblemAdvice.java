package dev.lockstep.spring.web;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/**
 * Responds with 503, {@code Retry-After} and a problem body (RFC 9457) where a controller fails because of a lock, and another try may succeed:
 * the wait ended, a deadlock was resolved, the store is unavailable. Other errors of locks are left to the application, and so are errors of the
 * application that have such a cause. A handler of the application takes precedence for all of them.
 */
@RestControllerAdvice
@Order(Ordered.LOWEST_PRECEDENCE)
public final class LockProblemAdvice {
    private static final Logger LOG = LoggerFactory.getLogger(LockProblemAdvice.class);
    private static final String RETRY_AFTER_SECONDS = "1";

    /**
     * The response. It names neither keys nor holders: those are for the log.
     *
     * @param thrown what the controller threw: Spring selects this handler by any cause, and passes the outermost error
     * @throws Throwable the same error, if trying again can't help, or if the application wrapped the lock's error in one of its own
     */
    @ExceptionHandler(LockException.class)
    public ResponseEntity<ProblemDetail> unavailable(Throwable thrown) throws Throwable {
        if (!(unwrapped(thrown) instanceof LockException error) || !error.retryable()) {
            throw thrown;
        }
        LOG.warn("Responding with 503: {}", error.getMessage());
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, detail(error.code()));
        problem.setProperty("code", error.code().text());
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS)
                .body(problem);
    }

    /** Futures wrap errors of their own accord; any other wrapper is a decision of the application. */
    private static @Nullable Throwable unwrapped(Throwable thrown) {
        @Nullable Throwable error = thrown;
        while (error instanceof CompletionException || error instanceof ExecutionException) {
            error = error.getCause();
        }
        return error;
    }

    private static String detail(ErrorCode code) {
        return code == ErrorCode.STORE_UNAVAILABLE
                ? "Locks are unavailable now. Try again later."
                : "Another request is working on the same data. Try again later.";
    }
}
