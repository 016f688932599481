package dev.lockstep.projectlock;

import java.io.IOException;
import java.util.Optional;

/** The small files of a project lock, changed by one transaction at a time, in whatever process. Tests keep them in memory. */
public interface LeaseFiles {
    /** The lease record: exactly a leaseId and its expiresAt. */
    String RECORD = ".lock";

    /** What is known of the lease beyond the record, and the number that rises with every grant. */
    String FENCE = ".lock.fence";

    /**
     * Runs a transaction alone. It may be run again from the start when another came first. An IOException that the files'
     * methods threw is passed on as it is.
     *
     * @throws IOException when the transaction can't even begin
     * @throws GuardBusyException when others kept it from its turn for as long as the wait lasts
     */
    <T> T transact(GuardWait wait, Transaction<T> transaction) throws IOException, GuardBusyException;

    /** Reads and decides, then changes. */
    @FunctionalInterface
    interface Transaction<T> {
        /** Does it. */
        T run(Page page) throws IOException;
    }

    /** The files, as the running transaction sees them. */
    interface Page {
        /** The text of a file, cut off after some kilobytes; empty when there is none. */
        Optional<String> read(String name) throws IOException;

        /** Replaces a file as a whole: a reader sees the old text or the new one, even after a crash. */
        void write(String name, String text) throws IOException;

        /** Removes a file; it need not be there. */
        void delete(String name) throws IOException;
    }
}
