package dev.lockstep.examples;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The files of this repository, as the tests of the documentation see them. */
final class Repository {
    static final Path ROOT = findRoot();

    private Repository() {}

    private static Path findRoot() {
        Path dir = Path.of("").toAbsolutePath();
        while (!Files.exists(dir.resolve("lockstep"))) {
            dir = dir.getParent();
            if (dir == null) {
                throw new IllegalStateException("The tests of the documentation run inside the repository only");
            }
        }
        return dir;
    }

    /** All documents that people read. */
    static List<Path> documents() {
        return Stream.concat(
                        Stream.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "browser/package/README.md")
                                .map(ROOT::resolve),
                        files("docs", ".md"))
                .toList();
    }

    static List<Path> javaFiles(String directory) {
        return files(directory, ".java").toList();
    }

    /** The Java files of all modules, tests included. */
    static List<Path> javaFiles() {
        return modules().flatMap(module -> files(module + "/src", ".java")).toList();
    }

    /** The folders of the modules that have code. */
    static Stream<String> modules() {
        try (Stream<Path> modules = Files.list(ROOT)) {
            return modules
                    .filter(module -> Files.isDirectory(module.resolve("src")))
                    .map(module -> ROOT.relativize(module).toString())
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Stream<Path> files(String directory, String ending) {
        try (Stream<Path> files = Files.walk(ROOT.resolve(directory))) {
            return files
                    .filter(file -> file.toString().endsWith(ending) && Files.isRegularFile(file))
                    .sorted()
                    .toList()
                    .stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
