package dev.lockstep.core.leadership;

import dev.lockstep.core.LockKey;
import java.util.Optional;

/**
 * A candidate for the leadership of a key, of which one at most leads at a time. It waits in the key's queue, leads until it is stopped, and stands
 * again by itself. Created by {@link Candidacy#start}. All methods may be called on any thread, in callbacks too.
 *
 * <p>A leader holds the key exclusively with a lease that is renewed. If no renewal is confirmed in time it stops being the leader by its own clocks,
 * before the store lets another one lead. Work that was under way then may still write: guard writes with {@link Term#token}.
 */
public interface Leadership extends AutoCloseable {
    /** The key that is led. */
    LockKey key();

    /** The name of this candidate. */
    String owner();

    /** Whether this candidate leads now, judged by the clocks of this machine alone. */
    boolean isLeader();

    /** The term in which this candidate leads now; empty if it doesn't. */
    Optional<Term> term();

    /**
     * The current leader: this candidate without asking the store, or another one as far as the store can see. Empty if the key is free.
     *
     * @throws dev.lockstep.core.LockException if another one may lead and the store can't be reached
     */
    Optional<Leader> leader();

    /** How far this candidate has come. */
    State state();

    /**
     * Ends the term, if there is one, and stands again behind the candidates that wait. Returns at once whether this candidate led; the key is released
     * after {@link Candidacy#whenStopped} has returned.
     */
    boolean resign();

    /**
     * Stands no more, and ends the term if there is one. Waits until the callbacks have returned and the key is released, at most as long as
     * {@link Candidacy#stopWithin} says for the callbacks; called by a callback it doesn't wait. Does nothing when called again.
     */
    @Override
    void close();

    /** The states of a candidate. */
    enum State {
        /** It waits for the key. */
        WAITING,
        /** It leads. */
        LEADING,
        /** Its term has ended, and its callbacks have not returned yet. */
        STOPPING,
        /** The store failed or can't be reached; it stands again after a pause. */
        UNAVAILABLE,
        /** It was closed, or can't stand again because the locks are closed. */
        CLOSED
    }
}
