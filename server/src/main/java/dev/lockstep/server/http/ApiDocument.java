package dev.lockstep.server.http;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
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

    private static Map<String, Object> read() {
        try (InputStream in = new ClassPathResource("openapi.yaml").getInputStream()) {
            return new Yaml(new SafeConstructor(new LoaderOptions())).load(in);
        } catch (IOException e) {
            throw new IllegalStateException("The API's document is not in the jar", e);
        }
    }
}
