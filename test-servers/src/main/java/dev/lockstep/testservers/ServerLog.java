package dev.lockstep.testservers;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The file that a server logs to. What was in it before a start is left out.
 *
 * @param file where it is
 * @param start from which character on it counts
 */
record ServerLog(Path file, int start) {
    private static final int TAIL = 30;
    private static final Pattern MISSING = Pattern.compile("shared libraries: ([^: ]+)");
    private static final Map<String, String> PACKAGES = Map.of(
            "libaio.so.1", "libaio1 (or libaio1t64)",
            "libnuma.so.1", "libnuma1",
            "libssl.so.3", "libssl3 (or libssl3t64)",
            "libcrypto.so.3", "libssl3 (or libssl3t64)",
            "libcrypt.so.1", "libcrypt1",
            "libsystemd.so.0", "libsystemd0",
            "libstdc++.so.6", "libstdc++6");

    /** What the server logs from now on. */
    static ServerLog from(Path file) throws IOException {
        return new ServerLog(file, Files.exists(file) ? read(file).length() : 0);
    }

    String text() throws IOException {
        return read(file).substring(start);
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.ISO_8859_1);
    }

    /** The failure of a program that logged this. */
    static IOException failure(String what, String log) {
        Matcher missing = MISSING.matcher(log);
        if (missing.find()) {
            String library = missing.group(1);
            return new MissingLibraryException("This machine lacks %s. On Debian and Ubuntu: apt-get install %s"
                    .formatted(library, PACKAGES.getOrDefault(library, "the package that has it")));
        }
        return new IOException("%s. It logged:%n%s".formatted(what, lastLines(log)));
    }

    static String lastLines(String log) {
        List<String> lines = log.lines().toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    }
}
