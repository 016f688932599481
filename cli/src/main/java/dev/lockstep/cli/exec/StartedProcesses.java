package dev.lockstep.cli.exec;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A command's process and those that it has started. One whose parent has ended is no descendant any more; where the system shows the environment of
 * processes, as Linux does, it is found by a variable that only this command was given.
 */
final class StartedProcesses {
    private final String mark;
    private final Set<ProcessHandle> known = new HashSet<>();

    /** Those of this process, in whose environment this variable has this value. */
    StartedProcesses(ProcessHandle first, String variable, String value) {
        known.add(first);
        mark = variable + "=" + value;
    }

    /** Those that run now, as far as can be seen. */
    Set<ProcessHandle> running() {
        known.removeIf(each -> !runs(each));
        List<ProcessHandle> seen =
                Stream.concat(known.stream(), marked()).distinct().toList();
        known.addAll(seen);
        seen.forEach(each -> each.descendants().forEach(known::add));
        return Set.copyOf(known);
    }

    /** Also false for one that has ended and whose parent has not noticed, as the first process of a container may never do. */
    static boolean runs(ProcessHandle process) {
        try {
            return process.isAlive()
                    && !Files.readString(Path.of("/proc/" + process.pid() + "/stat"), StandardCharsets.ISO_8859_1)
                            .contains(") Z ");
        } catch (IOException e) { // it has just ended, or this system has no such file
            return process.isAlive();
        }
    }

    private Stream<ProcessHandle> marked() {
        return ProcessHandle.allProcesses().filter(this::isMarked);
    }

    private boolean isMarked(ProcessHandle process) {
        try {
            byte[] environment = Files.readAllBytes(Path.of("/proc/" + process.pid() + "/environ"));
            return Arrays.asList(new String(environment, StandardCharsets.ISO_8859_1).split("\0", -1))
                    .contains(mark);
        } catch (IOException e) { // it has ended, belongs to another user, or this system doesn't show it
            return false;
        }
    }
}
