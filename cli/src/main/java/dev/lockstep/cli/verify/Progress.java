package dev.lockstep.cli.verify;

/** Receives the progress of the trial. */
public interface Progress {
    /** The place for the trial was made. */
    default void opened(String where) {}

    /**
     * A behaviour is being tried; told again and again.
     *
     * @param soFar how far it is, or empty
     */
    default void running(Behaviour behaviour, String soFar) {}

    /** A behaviour was tried, or skipped. */
    default void ended(Result result) {}

    /** Something else is worth knowing, such as that the place of the trial could not be removed. */
    default void remark(String text) {}
}
