package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The scripts at the root of the repository, copied to a directory where the JDK and Maven are stand-ins.
 *
 * @param directory where the copy is
 */
record ScriptCopy(Path directory) {
    static final Path ROOT = root();

    private static Path root() {
        Path path = Path.of("").toAbsolutePath();
        while (!Files.exists(path.resolve("lockstep")) || !Files.exists(path.resolve("scripts/toolchain.sh"))) {
            path = path.getParent();
        }
        return path;
    }

    /** Copies these files of the repository, and adds a JDK 17 and a Maven that fails. */
    static ScriptCopy of(Path directory, String... files) throws IOException {
        ScriptCopy copy = new ScriptCopy(directory);
        for (String file : files) {
            Path target = directory.resolve(file);
            Files.createDirectories(target.getParent());
            Files.copy(ROOT.resolve(file), target, StandardCopyOption.COPY_ATTRIBUTES);
        }
        copy.write("jdk/release", "JAVA_VERSION=\"17.0.15\"\n");
        copy.executable("jdk/bin/javac", "");
        copy.executable("jdk/bin/java", "echo \"in $PWD\"; for each; do echo \"$each\"; done; exit 7\n");
        copy.executable("tools/mvn", "echo 'Maven was called'; exit 1\n");
        return copy;
    }

    void write(String file, String text) throws IOException {
        Files.createDirectories(directory.resolve(file).getParent());
        Files.writeString(directory.resolve(file), text);
    }

    void executable(String file, String text) throws IOException {
        write(file, "#!/usr/bin/env bash\n" + text);
        assertThat(directory.resolve(file).toFile().setExecutable(true)).isTrue();
    }

    Path path(String file) {
        return directory.resolve(file);
    }

    /** Runs a script of the copy from another directory. */
    Run run(String script, Map<String, String> variables, String... args) throws Exception {
        Files.createDirectories(directory.resolve("elsewhere"));
        ProcessBuilder builder = new ProcessBuilder(Stream.concat(Stream.of("bash", "../" + script), Stream.of(args))
                        .toList())
                .directory(directory.resolve("elsewhere").toFile())
                .redirectInput(new File("/dev/null"));
        builder.environment().keySet().removeAll(List.of("MAVEN_OPTS", "LOCKSTEP_SERVERS"));
        builder.environment().put("JAVA_HOME", directory.resolve("jdk").toString());
        builder.environment().put("PATH", directory.resolve("tools") + File.pathSeparator + System.getenv("PATH"));
        builder.environment().putAll(variables);
        Path out = directory.resolve("out");
        Path err = directory.resolve("err");
        Process process =
                builder.redirectOutput(out.toFile()).redirectError(err.toFile()).start();
        assertThat(process.waitFor(180, TimeUnit.SECONDS)).isTrue();
        return new Run(
                process.exitValue(),
                Files.readString(out, StandardCharsets.UTF_8),
                Files.readString(err, StandardCharsets.UTF_8));
    }
}
