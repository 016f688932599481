package dev.lockstep.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.springframework.core.io.ClassPathResource;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The API's OpenAPI document, which is written by hand and comes first: the code follows it, and tests compare both. */
@RestController
final class ApiDocument {
    private final Map<String, Object> document = read();

    @GetMapping("/v3/api-docs")
    Map<String, Object> document() {
        return document;
    }

    /** What the document says about each code of a problem. */
    Map<String, ProblemCode> problemCodes() {
        Map<String, ProblemCode> codes = new LinkedHashMap<>();
        child(document, "components", "schemas", "Problem", "x-codes")
                .forEach((code, about) -> codes.put(String.valueOf(code), code((Map<?, ?>) about)));
        return codes;
    }

    private static Map<?, ?> child(Map<?, ?> node, String... names) {
        Map<?, ?> found = node;
        for (String each : names) {
            found = (Map<?, ?>) Objects.requireNonNull(found.get(each), each);
        }
        return found;
    }

    private static ProblemCode code(Map<?, ?> about) {
        return new ProblemCode(
                String.valueOf(about.get("status")),
                Boolean.TRUE.equals(about.get("retryable")),
                String.valueOf(about.get("means")));
    }

    private static Map<String, Object> read() {
        try (InputStream in = new ClassPathResource("openapi.yaml").getInputStream()) {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(in);
        } catch (IOException e) {
            throw new IllegalStateException("The API's document is not in the jar", e);
        }
    }
}
