package dev.lockstep.server.inventory;

import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.server.http.Problem;
import java.util.Locale;
import java.util.Map;
import org.springframework.http.HttpStatus;

/** A command that is wrong, as a problem. */
final class RejectionProblem {
    /** What the inventory's sentences begin with, and the field that they are about. */
    private static final Map<String, String> FIELDS = Map.of(
            "The SKU", "sku",
            "The location", "location",
            "The reason", "reason",
            "The request id", "requestId",
            "The reservation id", "reservationId");

    private RejectionProblem() {}

    static Problem of(Rejected rejected, Locale locale) {
        String text = locale.getLanguage().equals(Locale.ENGLISH.getLanguage())
                ? rejected.detail()
                : rejected.message(locale);
        return switch (rejected.why()) {
            case INVALID_QUANTITY -> Problem.invalid("quantity", text);
            case INVALID_TEXT -> Problem.invalid(field(rejected.detail()), text);
            case INVALID_ORDER -> Problem.invalid("lines", text);
            case INVALID_TIME -> Problem.invalid("heldForMs", text);
            case UNKNOWN_STOCK -> Problem.of(HttpStatus.NOT_FOUND, "not-found", false, text);
            case UNKNOWN_RESERVATION -> Problem.of(HttpStatus.NOT_FOUND, "unknown-reservation", false, text);
            case ALREADY_SHIPPED, ALREADY_CANCELLED, EXPIRED, NOT_EXPIRED -> conflict("reservation-over", text);
            case REQUEST_ID_REUSED -> conflict("request-id-reused", text);
            case BOOKS_DISAGREE, NOTHING_TO_REPAIR, CANT_REPAIR ->
                Problem.of(HttpStatus.SERVICE_UNAVAILABLE, "store-failed", false, text);
        };
    }

    private static Problem conflict(String code, String text) {
        return Problem.of(HttpStatus.CONFLICT, code, false, text);
    }

    private static String field(String detail) {
        return FIELDS.entrySet().stream()
                .filter(each -> detail.startsWith(each.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("requestId");
    }
}
