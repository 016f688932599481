package dev.lockstep.benchmarks.measure;

import java.net.URI;
import java.nio.file.Path;

/** A library and its version, as the name of its file says. */
public final class JarName {
    private JarName() {}

    public static String of(Class<?> type) {
        URI where = URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString());
        return String.valueOf(Path.of(where).getFileName()).replaceFirst("\\.jar$", "");
    }
}
