package dev.lockstep.core;

/** When the line of code that asks for a lock is recorded. It costs about a microsecond. */
public enum CallSites {
    /** When the request has to wait for more than a moment, and when something is wrong. */
    WHEN_CONTENDED,
    /** For every request. */
    ALWAYS,
    /** Only when something is wrong. */
    NEVER
}
