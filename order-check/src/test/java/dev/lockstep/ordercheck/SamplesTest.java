package dev.lockstep.ordercheck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.ordercheck.Compilation.Remark;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import javax.tools.Diagnostic;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sources whose comments say what is reported on their line: {@code // error: part of the text}, {@code // strict: part of the text}. */
class SamplesTest {
    private static final Path SAMPLES = Path.of("src/test/resources/samples");
    private static final Map<String, String> SOURCES = new TreeMap<>();
    private static List<Remark> whole = List.of();

    @TempDir
    static Path classes;

    @BeforeAll
    static void compileWhole() throws IOException {
        try (Stream<Path> files = Files.list(SAMPLES)) {
            for (Path each : files.toList()) {
                SOURCES.put(each.getFileName().toString(), Files.readString(each));
            }
        }
        whole = checked(SOURCES, "strict warn", classes);
    }

    private static List<Remark> checked(Map<String, String> sources, String options, Path output) {
        Compilation compilation = new Compilation(output).checked(options).option("-proc:none");
        sources.forEach(compilation::source);
        return compilation.run();
    }

    private static List<String> expected(String marker) {
        List<String> expected = new ArrayList<>();
        SOURCES.forEach((file, text) -> {
            List<String> lines = text.lines().toList();
            for (int i = 0; i < lines.size(); i++) {
                if (lines.get(i).contains(marker)) {
                    String part = lines.get(i).substring(lines.get(i).indexOf(marker) + marker.length());
                    expected.add(file + ":" + (i + 1) + ": " + part.strip());
                }
            }
        });
        return expected;
    }

    private static String atLine(Remark remark) {
        return remark.file() + ":" + remark.line() + ": ";
    }

    @Test
    @DisplayName("what the comments expect is reported, and nothing else")
    void comments() {
        List<String> all = new ArrayList<>(expected("// error:"));
        all.addAll(expected("// strict:"));
        assertThat(all).hasSizeGreaterThan(40);
        assertThat(whole)
                .as("each remark is expected")
                .allSatisfy(remark -> assertThat(all)
                        .as(remark.toString())
                        .anyMatch(line -> line.startsWith(atLine(remark))
                                && remark.text()
                                        .contains(line.substring(atLine(remark).length()))));
        assertThat(all)
                .as("each comment is met")
                .allSatisfy(line -> assertThat(whole)
                        .as(line)
                        .anyMatch(remark -> line.startsWith(atLine(remark))
                                && remark.text()
                                        .contains(line.substring(atLine(remark).length()))));
    }

    @Test
    @DisplayName("without strict only errors are reported, and they fail the build")
    void errors(@TempDir Path output) {
        List<Remark> errors = checked(SOURCES, "", output);
        assertThat(errors).allMatch(remark -> remark.kind() == Diagnostic.Kind.ERROR);
        assertThat(errors.stream().map(SamplesTest::atLine))
                .containsExactlyInAnyOrderElementsOf(expected("// error:").stream()
                        .map(line -> line.substring(0, line.indexOf(": ") + 2))
                        .toList());
    }

    @Test
    @DisplayName("each file alone is judged as all of them together")
    void oneAtATime(@TempDir Path output) {
        List<Remark> alone = new ArrayList<>();
        SOURCES.forEach((file, text) -> alone.addAll(new Compilation(output)
                .onClassPath(classes)
                .checked("strict warn")
                .option("-proc:none")
                .source(file, text)
                .run()));
        assertThat(alone).containsExactlyInAnyOrderElementsOf(whole);
    }
}
