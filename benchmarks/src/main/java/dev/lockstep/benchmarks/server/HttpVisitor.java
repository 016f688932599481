package dev.lockstep.benchmarks.server;

/** What one connection asks for, request after request. */
@FunctionalInterface
interface HttpVisitor {
    /** The next request, as it goes over the wire, after this answer; the first one is after {@link HttpAnswer#NONE}. */
    byte[] next(HttpAnswer previous);

    /** Whether nothing is left behind when this answer was the last. */
    default boolean mayEndAfter(HttpAnswer last) {
        return true;
    }
}
