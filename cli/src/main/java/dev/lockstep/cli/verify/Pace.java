package dev.lockstep.cli.verify;

import java.time.Duration;

/**
 * How long things of the trial take.
 *
 * @param load how long each behaviour under load works
 * @param threads how many threads work then
 * @param term how long the leases last that are to end by themselves
 * @param patience how long is waited for what must come about: longer than a busy machine may delay a thread
 * @param stuck how long a behaviour may make no progress before it is given up: more than twice the patience
 * @param total how long the whole trial may take
 */
public record Pace(Duration load, int threads, Duration term, Duration patience, Duration stuck, Duration total) {
    private static final Duration MAKING = Duration.ofMinutes(2);

    /** What the command uses. */
    public static final Pace USUAL = new Pace(
            Duration.ofMillis(1500),
            9,
            Duration.ofMillis(1500),
            Duration.ofSeconds(30),
            Duration.ofSeconds(75),
            Duration.ofMinutes(5));

    /** The same with another bound for the whole. */
    public Pace within(Duration most) {
        return new Pace(load, threads, term, patience, stuck, most);
    }

    /** The same with leases that last this long. */
    public Pace term(Duration length) {
        return new Pace(load, threads, length, patience, stuck, total);
    }

    /** How long the making of the place may take: a busy server makes a database and its rows slowly. */
    Duration making() {
        return MAKING.compareTo(total) < 0 ? MAKING : total;
    }
}
