package dev.lockstep.cli.locks;

import dev.lockstep.core.LockException;
import java.net.http.HttpResponse;
import java.util.Set;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a server answered to a request for a lease: the lease, or why there is none.
 *
 * @param code the problem's code; empty if there is no problem
 */
public record LeaseAnswer(String code, JsonNode body) {
    private static final int SUCCESS_END = 300;
    private static final Set<String> ENDED = Set.of("lease-expired", "lease-revoked", "unknown-lease");

    /** What is neither done nor one of the ends that a script must know is an error. */
    static LeaseAnswer read(HttpResponse<String> answer, Function<HttpResponse<?>, LockException> foreign) {
        try {
            JsonNode body = JsonMapper.shared().readTree(answer.body().isBlank() ? "{}" : answer.body());
            LeaseAnswer read = new LeaseAnswer(
                    answer.statusCode() < SUCCESS_END ? "" : body.path("code").asString(""), body);
            if (answer.statusCode() < SUCCESS_END || read.isBusy() || read.hasEnded()) {
                return read;
            }
        } catch (JacksonException e) {
            throw foreign.apply(answer);
        }
        throw ServerAnswer.trouble(answer, foreign);
    }

    /** Whether another holder had the lock for the whole wait. */
    public boolean isBusy() {
        return code.equals("lock-timeout");
    }

    /** Whether the lease has ended. */
    public boolean hasEnded() {
        return ENDED.contains(code);
    }

    /** A text of it; empty if it has none. */
    public String text(String field) {
        return body.path(field).asString("");
    }
}
