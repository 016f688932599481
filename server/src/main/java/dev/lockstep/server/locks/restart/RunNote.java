package dev.lockstep.server.locks.restart;

import java.time.Duration;

/** What a server notes about its run, so that its next start knows what may still be believed in. */
public interface RunNote extends AutoCloseable {
    /**
     * Where nothing is noted. Leases on Redis outlive the server; those on a database end with its connections, and then any server
     * may grant them, so that a wait of this one would not help.
     */
    RunNote NONE = new RunNote() {
        @Override
        public Duration closedFor() {
            return Duration.ZERO;
        }

        @Override
        public void running() {}

        @Override
        public void stopped(Duration left) {}

        @Override
        public void close() {}
    };

    /** For how long after this start nothing may be granted. */
    Duration closedFor();

    /** From now on locks are granted. */
    void running();

    /** The server stopped in order; clients believe in their leases for this long at most. */
    void stopped(Duration left);

    @Override
    void close();
}
