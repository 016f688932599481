package dev.lockstep.outside;

/** Something that is reached by a proxy made of interfaces. */
public interface Counter {
    /** Serves a user. */
    void serve(String user);
}
