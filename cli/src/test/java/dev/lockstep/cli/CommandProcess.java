package dev.lockstep.cli;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The command line that runs {@code lockstep} in a separate JVM. */
final class CommandProcess {
    private CommandProcess() {}

    /**
     * Starts the JVM through {@code env}: a shell that runs a build in the background ignores SIGINT, and nohup SIGHUP; child
     * processes inherit that, and a JVM that is started so never sees them.
     */
    static List<String> command(String... arguments) {
        return Stream.concat(
                        Stream.of(
                                "env",
                                "--default-signal=INT,HUP",
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx256m",
                                "-Dlockstep.patience.millis=60000",
                                "-cp",
                                System.getProperty("java.class.path"),
                                Lockstep.class.getName()),
                        Stream.of(arguments))
                .toList();
    }
}
