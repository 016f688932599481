package dev.lockstep.core.leadership;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.core.internal.Durations;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The options of a {@link Leadership}: what to do when elected and when stopped. A value; each wither returns a new one, and {@link #start} stands for
 * election.
 */
public final class Candidacy {
    private static final RetryPolicy RETRIES = RetryPolicy.exponential(
                    Duration.ofMillis(200), 2, Duration.ofSeconds(10))
            .withJitter(0.5);

    /** What a candidate goes by. */
    record Options(
            Locks locks,
            LockKey key,
            String owner,
            Consumer<Term> whenElected,
            Consumer<Stop> whenStopped,
            Duration stopWithin,
            RetryPolicy retries) {}

    private final Options options;

    private Candidacy(Options options) {
        this.options = options;
    }

    /** A candidate for the leadership of this key, on these locks; {@link Locks#leadership} is shorter. */
    public static Candidacy of(Locks locks, LockKey key) {
        Objects.requireNonNull(key, "key");
        return new Candidacy(
                new Options(locks, key, processName(), term -> {}, stop -> {}, Duration.ofSeconds(10), RETRIES));
    }

    private static String processName() {
        String host = System.getenv("HOSTNAME");
        String process = "process " + ProcessHandle.current().pid();
        return host == null || host.isBlank() ? process : process + " on " + host;
    }

    /** Names this candidate, as {@link Leadership#leader} shows it; the process and its host by default. */
    public Candidacy as(String name) {
        if (name == null || name.isBlank()) {
            throw new InvalidRequestException("The name of the candidate is empty. Name the node, such as \"node-1\".");
        }
        return with(name, options.whenElected, options.whenStopped, options.stopWithin);
    }

    /**
     * Called once for each term, after the store has granted it. Runs on the candidate's own thread for callbacks: it may start work and return, or work
     * until it is interrupted, which happens when the term ends. What it throws is logged and changes nothing.
     */
    public Candidacy whenElected(Consumer<Term> action) {
        return with(options.owner, Objects.requireNonNull(action, "action"), options.whenStopped, options.stopWithin);
    }

    /**
     * Called once for each term that began, after {@link #whenElected} has returned. When the leader resigns or closes, the key is released after this
     * has returned, so that no other leads while it stops its work. The candidate never stands again before it has returned. What it throws is logged and
     * changes nothing.
     */
    public Candidacy whenStopped(Consumer<Stop> action) {
        return with(options.owner, options.whenElected, Objects.requireNonNull(action, "action"), options.stopWithin);
    }

    /**
     * How long a leader that resigns or closes waits for its callbacks; 10 seconds by default. After that the key is released all the same, because a
     * callback that hangs must not keep the others from leading; the token of the term keeps its late writes out.
     *
     * @throws InvalidRequestException if the time is not positive
     */
    public Candidacy stopWithin(Duration longest) {
        Durations.requirePositive(
                "The time for callbacks", longest, "Give a positive duration, such as Duration.ofSeconds(10).");
        return with(options.owner, options.whenElected, options.whenStopped, longest);
    }

    private Candidacy with(String owner, Consumer<Term> elected, Consumer<Stop> stopped, Duration stopWithin) {
        return new Candidacy(
                new Options(options.locks, options.key, owner, elected, stopped, stopWithin, options.retries));
    }

    /**
     * Stands for election, in the background, until the leadership is closed.
     *
     * @throws InvalidRequestException if the key is held shared by another holder, so that it is used for something else, or its kind contradicts those
     *     that are known; nothing is held
     * @throws dev.lockstep.core.LockException if the locks are closed; a store that can't be reached is tried again in the background
     */
    public Leadership start() {
        Candidate candidate = new Candidate(options);
        candidate.start();
        return candidate;
    }
}
