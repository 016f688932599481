package dev.lockstep.core.engine;

import dev.lockstep.core.CallSite;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the line of code that made a request, on the stack of the current thread. */
final class CallSiteFinder {
    private static final StackWalker WALKER = StackWalker.getInstance();
    private static final List<String> OWN = List.of(
            "dev.lockstep.core.",
            "dev.lockstep.jdbc.",
            "dev.lockstep.redis.",
            "dev.lockstep.etcd.",
            "dev.lockstep.spring.");
    private static final List<String> BETWEEN = List.of(
            "java.",
            "jdk.internal.",
            "jdk.proxy",
            "com.sun.proxy.",
            "org.springframework.aop.",
            "org.springframework.cglib.");

    private CallSiteFinder() {}

    static Optional<CallSite> here() {
        return WALKER.walk(frames -> frames.filter(frame -> isCaller(frame.getClassName()))
                .findFirst()
                .map(frame -> new CallSite(frame.toStackTraceElement())));
    }

    private static boolean isCaller(String className) {
        return Stream.concat(OWN.stream(), BETWEEN.stream()).noneMatch(className::startsWith) && !isProxy(className);
    }

    /** A class created at run time in its caller's package: of a class by cglib, or of interfaces by the JDK. */
    private static boolean isProxy(String className) {
        return className.contains("$$") || className.contains(".$Proxy");
    }
}
