package dev.lockstep.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.opentest4j.TestAbortedException;

/** What this machine can do. */
final class Platform {
    private Platform() {}

    static boolean isRoot() {
        try {
            return Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Aborts the test where there are no programs for this platform; that is an error where CI is set. */
    static void requireServers(ServerKind kind) {
        requireServers(kind, System.getProperty("os.name"), System.getProperty("os.arch"), System.getenv());
    }

    static void requireServers(ServerKind kind, String os, String arch, Map<String, String> environment) {
        if ("Linux".equals(os) && "amd64".equals(arch)) {
            return;
        }
        String reason = "%s can be started on Linux x86-64 only, and this is %s %s. %s"
                .formatted(kind, os, arch, "Setting " + kind.variable() + " helps tests that share a server.");
        throw notTested(reason, environment);
    }

    /** What to throw where this machine cannot run a test: the test is skipped, but fails where CI is set to true. */
    static RuntimeException notTested(String reason, Map<String, String> environment) {
        String message = "NOT TESTED: " + reason;
        return "true".equals(environment.get("CI"))
                ? new IllegalStateException(message)
                : new TestAbortedException(message);
    }
}
