package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The folder as it goes to npm, and into the jar. */
class PackageTest {
    private static final Path PACKAGE = Path.of("package");

    @Test
    @DisplayName("What package.json exports is there, with types, and the jar has it too")
    void exportsExist() throws IOException {
        JsonObject json = JsonParser.parseString(text("package.json")).getAsJsonObject();
        for (Map.Entry<String, JsonElement> entry :
                json.getAsJsonObject("exports").entrySet()) {
            Stream<String> files = entry.getValue().isJsonObject()
                    ? entry.getValue().getAsJsonObject().entrySet().stream()
                            .map(way -> way.getValue().getAsString())
                    : Stream.of(entry.getValue().getAsString());
            assertThat(files).isNotEmpty().allSatisfy(file -> {
                assertThat(PACKAGE.resolve(file)).exists();
                assertThat(PageFiles.ofThisJar().at("/lockstep/project-lock/" + file.substring(2)))
                        .isPresent();
            });
        }
        assertThat(json.has("dependencies")).isFalse();
        assertThat(json.get("license").getAsString()).isEqualTo("Apache-2.0");
    }

    @Test
    @DisplayName("Every module that is imported is in the folder")
    void importsExist() throws IOException {
        Pattern imported = Pattern.compile("(?:from|import\\() ?'([^']+)'|new URL\\('([^']+)'");
        try (Stream<Path> files = Files.list(PACKAGE)) {
            for (Path file : files.filter(path -> path.toString().endsWith("s")).toList()) {
                Matcher matcher = imported.matcher(Files.readString(file));
                while (matcher.find()) {
                    String other = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
                    assertThat(PACKAGE.resolve(other))
                            .as("imported by %s", file)
                            .exists();
                }
            }
        }
    }

    @Test
    @DisplayName("The types of the source, with acquire-timeout added")
    void typesOfTheSource() throws IOException {
        String types = text("lockstep-project-lock.d.ts");
        assertThat(declared(types, "(?:interface|type|class|function) (\\w+)"))
                .isEqualTo(Set.of(
                        "ProjectLockSource",
                        "ProjectLockLease",
                        "ProjectLockAcquireOptions",
                        "LockRetryPolicy",
                        "ProjectLockRenewOptions",
                        "ProjectLockReleaseOptions",
                        "ProjectLockEvent",
                        "ProjectLockEventListener",
                        "ProjectLockSubscription",
                        "ProjectLockError",
                        "acquireProjectLock",
                        "renewProjectLock",
                        "releaseProjectLock",
                        "withProjectLock",
                        "subscribeLockEvents"));
        assertThat(quoted(between(types, "class ProjectLockError", "retryable")))
                .isEqualTo(codes());
    }

    static Set<String> declared(String text, String pattern) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = Pattern.compile("export " + pattern).matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    static String text(String file) throws IOException {
        return Files.readString(PACKAGE.resolve(file));
    }

    private static Set<String> codes() throws IOException {
        return quoted(between(text("errors.js"), "const CODES", "};").replaceAll("level: '\\w+'", ""));
    }

    private static String between(String text, String from, String to) {
        int start = text.indexOf(from);
        return text.substring(start, text.indexOf(to, start));
    }

    private static Set<String> quoted(String text) {
        Set<String> words = new TreeSet<>();
        Matcher matcher = Pattern.compile("'([a-z-]+)'").matcher(text);
        while (matcher.find()) {
            words.add(matcher.group(1));
        }
        assertThat(words).isNotEmpty();
        return words;
    }
}
