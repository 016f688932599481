package dev.lockstep.core;

/**
 * The line of code that asked for a lock: the first one on the stack outside of Lockstep itself and of proxies around its callers.
 *
 * @param frame the line as a stack trace shows it
 */
public record CallSite(StackTraceElement frame) {
    @Override
    public String toString() {
        return frame.toString();
    }
}
