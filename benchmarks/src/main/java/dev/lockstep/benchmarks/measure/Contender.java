package dev.lockstep.benchmarks.measure;

import java.util.List;

/** Something that locks and frees on a server, measured side by side with others. */
public interface Contender extends AutoCloseable {
    /** What the table calls it. */
    String name();

    /** How it is set up, for the reader to judge whether it is at its best; one fact in each line. */
    List<String> configuration();

    /** Locks something random and frees it; returns false when it was refused because another holder has it. */
    boolean lockAndRelease() throws Exception;

    /** Everything before this was for warming up. */
    default void warmedUp() {}

    /** Closes its connections. */
    @Override
    void close();
}
