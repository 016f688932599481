package dev.lockstep.server.http;

import java.util.Map;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;

/** What a problem's code means, at the address that its type is. */
@RestController
final class ProblemPages {
    private final Map<String, ProblemCode> codes;

    ProblemPages(ApiDocument document) {
        codes = document.problemCodes();
    }

    @GetMapping(path = "/problems/{code}", produces = MediaType.TEXT_PLAIN_VALUE)
    String page(@PathVariable String code, ServerWebExchange exchange) {
        ProblemCode known = codes.get(code);
        if (known == null) {
            throw RequestFaults.notFound(exchange);
        }
        return "%s (%s)%n%n%s%n%nThe same request again: %s%n"
                .formatted(
                        code, known.status(), known.means(), known.retryable() ? "may succeed." : "will fail again.");
    }
}
