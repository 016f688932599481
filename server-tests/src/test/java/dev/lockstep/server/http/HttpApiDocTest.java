package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.server.RunningServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** docs/http-api.md says what is true: its commands run, and its tables are those of the API's document. */
@Tag("once")
class HttpApiDocTest {
    private static final String PAGE = read();
    private static final ApiSchema SCHEMA = new ApiSchema();

    private static String read() {
        try {
            return Files.readString(Path.of("../docs/http-api.md"));
        } catch (IOException e) {
            throw new IllegalStateException("The tests of a module run in its folder", e);
        }
    }

    private static List<String> rows(String heading) {
        String section = PAGE.substring(PAGE.indexOf("\n## " + heading + "\n") + 1);
        int end = section.indexOf("\n## ");
        return section.substring(0, end < 0 ? section.length() : end)
                .lines()
                .filter(each -> each.startsWith("| `"))
                .toList();
    }

    @Test
    void operationsAreThoseOfTheDocument() {
        assertThat(rows("Operations"))
                .containsExactlyElementsOf(Operation.all(SCHEMA).stream()
                        .map(each -> "| `" + each + "` | " + each.about().get("summary") + " |")
                        .toList());
    }

    @Test
    void codesAreThoseOfTheDocument() {
        Map<?, ?> codes = SCHEMA.at("components", "schemas", "Problem", "x-codes");
        assertThat(rows("Errors"))
                .containsExactlyElementsOf(codes.entrySet().stream()
                        .map(each -> row(String.valueOf(each.getKey()), (Map<?, ?>) each.getValue()))
                        .toList());
        Map<?, ?> code = SCHEMA.at("components", "schemas", "Problem", "properties", "code");
        assertThat(List.copyOf(codes.keySet())).isEqualTo(code.get("enum"));
    }

    private static String row(String code, Map<?, ?> about) {
        return "| `" + code + "` | " + about.get("status") + " | "
                + (about.get("retryable").equals(true) ? "yes" : "no") + " | " + about.get("means") + " |";
    }

    @Test
    @Tag("slow")
    void commandsRun() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/curl")), "curl is not installed");
        String commands = Pattern.compile("(?s)```sh\n(.*?)```")
                .matcher(PAGE)
                .results()
                .map(each -> each.group(1))
                .collect(Collectors.joining("\n"));
        try (RunningServer server = RunningServer.with(Map.of())) {
            ProcessBuilder shell =
                    new ProcessBuilder("bash", "-euo", "pipefail", "-c", commands).redirectErrorStream(true);
            shell.environment().put("LOCKSTEP", server.url().toString());
            Process running = shell.start();
            String said = new String(running.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(running.waitFor()).as(said).isZero();
            assertThat(said).contains("\"leaseId\"", "\"holders\"", "\"edges\"", "\"reserved\"", "\"cancelled\"");
        }
    }
}
