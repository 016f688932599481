package dev.lockstep.core;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The line of code that asked for a lock: the first one on the stack outside of Lockstep itself and of proxies around its callers.
 *
 * @param frame the line as a stack trace shows it
 */
public record CallSite(StackTraceElement frame) {
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final List<String> OWN =
            List.of("dev.lockstep.core.", "dev.lockstep.jdbc.", "dev.lockstep.redis.", "dev.lockstep.spring.");
    private static final List<String> BETWEEN = List.of(
            "java.",
            "jdk.internal.",
            "jdk.proxy",
            "com.sun.proxy.",
            "org.springframework.aop.",
            "org.springframework.cglib.");

    static Optional<CallSite> here() {
        return WALKER.walk(frames -> frames.filter(frame -> isCaller(frame.getClassName()))
                .findFirst()
                .map(frame -> new CallSite(frame.toStackTraceElement())));
    }

    private static boolean isCaller(String className) {
        return Stream.concat(OWN.stream(), BETWEEN.stream()).noneMatch(className::startsWith) && !isProxy(className);
    }

    /** A class made at run time in its caller's package: of a class by cglib, or of interfaces by the JDK. */
    private static boolean isProxy(String className) {
        return className.contains("$$") || className.contains(".$Proxy");
    }

    @Override
    public String toString() {
        return frame.toString();
    }
}
