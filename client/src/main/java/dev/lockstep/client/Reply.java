package dev.lockstep.client;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What a server responded: a status, and an object that may be empty. */
record Reply(URI server, int status, Map<String, @Nullable Object> body) {
    private static final int SUCCESS_END = 300;
    private static final Set<String> GONE = Set.of("lease-expired", "lease-revoked", "unknown-lease");

    boolean succeeded() {
        return status < SUCCESS_END;
    }

    /** The code of a refusal, such as {@code lock-timeout}; empty if there is none. */
    String code() {
        return text("code");
    }

    /** Whether the server no longer knows the lease. */
    boolean isGone() {
        return GONE.contains(code());
    }

    String text(String field) {
        return text(body, field);
    }

    static String text(Map<?, ?> object, String field) {
        return object.get(field) instanceof String text ? text : "";
    }

    List<?> list(String field) {
        return body.get(field) instanceof List<?> list ? list : List.of();
    }

    /** The exception for a refusal. */
    LockException failure() {
        String said = code().isEmpty()
                ? "What responds at " + server + " is no Lockstep server: HTTP " + status + ". Check host and port."
                : "The server at " + server + " says: " + text("detail");
        return switch (code()) {
            case "invalid-request", "malformed-json", "unknown-field", "too-large" -> new InvalidRequestException(said);
            case "kind-mismatch" -> failure(ErrorCode.KIND_MISMATCH, said);
            default -> failure(isTemporary() ? ErrorCode.STORE_UNAVAILABLE : ErrorCode.STORE_FAILED, said);
        };
    }

    private boolean isTemporary() {
        return Boolean.TRUE.equals(body.get("retryable"));
    }

    private static LockException failure(ErrorCode code, String message) {
        return new LockException(code, message, List.of(), null);
    }
}
