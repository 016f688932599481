package dev.lockstep.core;

import java.util.List;
import java.util.Optional;

/**
 * The line of code that asked for a lock: the first one on the stack outside of Lockstep itself.
 *
 * @param frame the line as a stack trace shows it
 */
public record CallSite(StackTraceElement frame) {
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final List<String> OWN =
            List.of("java.", "dev.lockstep.core.", "dev.lockstep.jdbc.", "dev.lockstep.redis.", "dev.lockstep.spring.");

    static Optional<CallSite> here() {
        return WALKER.walk(frames -> frames.filter(frame -> isCaller(frame.getClassName()))
                .findFirst()
                .map(frame -> new CallSite(frame.toStackTraceElement())));
    }

    private static boolean isCaller(String className) {
        return OWN.stream().noneMatch(className::startsWith);
    }

    @Override
    public String toString() {
        return frame.toString();
    }
}
