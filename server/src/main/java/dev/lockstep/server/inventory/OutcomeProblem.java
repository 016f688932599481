package dev.lockstep.server.inventory;

import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Overloaded;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.inventory.Shortage;
import dev.lockstep.server.http.Problem;
import java.time.Duration;
import java.util.Locale;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;

/** What was not done, and why, as a problem. */
final class OutcomeProblem {
    private OutcomeProblem() {}

    static Problem of(Outcome outcome, Locale locale) {
        String text = outcome.message(locale);
        if (outcome instanceof OutOfStock out) {
            return Problem.of(HttpStatus.CONFLICT, "out-of-stock", false, text)
                    .with(
                            "shortages",
                            out.shortages().stream().map(ShortageView::of).toList());
        }
        if (outcome instanceof Overloaded overloaded) {
            return later(unavailable("overloaded", text), overloaded.retryAfter());
        }
        if (outcome instanceof GaveUp gaveUp) {
            String code = gaveUp.reason() == GaveUp.Reason.CLOSED ? "shutting-down" : "conflict";
            return later(unavailable(code, text), gaveUp.retryAfter());
        }
        if (outcome instanceof TimedOut) {
            return unavailable("timed-out", text);
        }
        if (outcome instanceof Unknown) {
            return unavailable("unknown-outcome", text);
        }
        if (outcome instanceof Failed failed && failed.retryable()) {
            return unavailable("store-unavailable", text);
        }
        return outcome instanceof Rejected rejected
                ? RejectionProblem.of(rejected, locale)
                : Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "store-failed", false, text);
    }

    private static Problem unavailable(String code, String text) {
        return Problem.of(HttpStatus.SERVICE_UNAVAILABLE, code, true, text);
    }

    private static Problem later(Problem problem, Duration time) {
        long seconds = Math.max(1, time.plusMillis(999).toSeconds());
        problem.getHeaders().set(HttpHeaders.RETRY_AFTER, Long.toString(seconds));
        return problem;
    }

    /** Of what there is not enough. */
    record ShortageView(String sku, String location, long requested, long available) {
        static ShortageView of(Shortage shortage) {
            return new ShortageView(
                    shortage.key().sku(), shortage.key().location(), shortage.requested(), shortage.available());
        }
    }
}
