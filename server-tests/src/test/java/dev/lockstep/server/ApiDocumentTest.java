package dev.lockstep.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The document and the code say the same. */
@Tag("once")
class ApiDocumentTest {
    private static final Pattern ANSWER =
            Pattern.compile("Problem\\s*\\.of\\(\\s*HttpStatus\\.\\w+,\\s*\"([^\"]+)\",\\s*(true|false),");

    private static RunningServer server;
    private static JsonNode document;

    @BeforeAll
    static void read() throws Exception {
        server = RunningServer.with(Map.of());
        HttpResponse<String> answer = HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(server.url("/v3/api-docs")).build(), HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        document = new JsonMapper().readTree(answer.body());
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Test
    void itsOperationsAreTheRoutesOfTheServer() {
        Set<String> declared = new TreeSet<>();
        document.get("paths")
                .forEachEntry((path, item) -> item.propertyNames().stream()
                        .filter(method -> !method.equals("parameters"))
                        .forEach(method -> declared.add(method.toUpperCase(java.util.Locale.ROOT) + " " + path)));
        assertThat(routes()).isEqualTo(declared);
    }

    private static Set<String> routes() {
        return server
                .bean("requestMappingHandlerMapping", RequestMappingHandlerMapping.class)
                .getHandlerMethods()
                .keySet()
                .stream()
                .flatMap(info -> info.getPatternsCondition().getPatterns().stream()
                        .map(Object::toString)
                        .filter(path -> path.startsWith("/api"))
                        .flatMap(path ->
                                info.getMethodsCondition().getMethods().stream().map(method -> method + " " + path)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void itsCodesAreThoseThatTheServerAnswers() throws IOException {
        Set<String> declared = new TreeSet<>();
        document.at("/components/schemas/Problem/properties/code/enum")
                .forEach(each -> declared.add(each.stringValue()));
        String sources = sources();
        assertThat(declared).isNotEmpty().allSatisfy(code -> assertThat(sources).contains("\"" + code + "\""));
        assertThat(declared)
                .containsAll(ANSWER.matcher(sources)
                        .results()
                        .map(each -> each.group(1))
                        .toList());
    }

    @Test
    void whetherToAskAgainIsSaidAsItSays() throws IOException {
        Set<String> declared = new TreeSet<>();
        document.at("/components/schemas/Problem/x-codes")
                .forEachEntry((code, about) ->
                        declared.add(code + " " + about.path("retryable").booleanValue()));
        assertThat(ANSWER.matcher(sources()).results().map(each -> each.group(1) + " " + each.group(2)))
                .isNotEmpty()
                .isSubsetOf(declared);
    }

    private static String sources() throws IOException {
        try (Stream<Path> files = Files.walk(Path.of("../server/src/main/java"))) {
            StringBuilder all = new StringBuilder();
            for (Path each :
                    files.filter(file -> file.toString().endsWith(".java")).toList()) {
                all.append(Files.readString(each));
            }
            return all.toString();
        }
    }
}
