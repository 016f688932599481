package dev.lockstep.chaos;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * One run on one {@link Setup}: faults one after the other for a time, then a phase in which all is whole, then the verdict.
 *
 * @param setup the store
 * @param processes how many lock there
 * @param time how long faults continue
 * @param seed of who is hit by what, when and for how long
 * @param directory an empty one, for the histories
 * @param progress receives what happens
 */
record ChaosRun(Setup setup, int processes, Duration time, long seed, Path directory, Consumer<String> progress) {
    /** The usual number: one is hit, and two continue. */
    static final int PROCESSES = 3;

    private static final Duration LONGEST_FAULT = Duration.ofMillis(2_500);
    private static final Duration LONGEST_OF_A_PAIR = Duration.ofSeconds(5); // it must have time to switch
    private static final Duration LONGEST_CALM = Duration.ofMillis(2_500);
    private static final Duration LONGEST_END = Duration.ofSeconds(20);
    private static final Duration END_IS_ANSWERED = Caller.PATIENCE.plusSeconds(60);

    ChaosReport run() throws SQLException {
        try (ChaosServers stage = ChaosServers.open(setup, processes, directory, seed)) {
            stage.history().now("setup", "name", setup.title(), "seed", seed);
            conduct(stage);
            stage.history().now("healed");
            progress.accept("all is healed");
            awaitService();
            stayCalm(stage.history());
            stage.posts().forEach(post -> post.tell("end", END_IS_ANSWERED));
            sweep(stage);
        }
        return ChaosReport.of(Records.in(directory), setup.promise());
    }

    private void conduct(ChaosServers stage) {
        Random random = new Random(seed);
        long start = System.nanoTime();
        List<FaultKind> bag = new ArrayList<>();
        while (System.nanoTime() - start < time.toNanos()) {
            FaultStrike.pause(
                    Duration.ofMillis(random.nextInt((int) atMost(LONGEST_CALM).toMillis())));
            if (bag.isEmpty()) {
                Stream.of(FaultKind.values()).filter(fault -> fault.fits(setup)).forEach(bag::add);
            }
            FaultKind fault = bag.remove(random.nextInt(bag.size()));
            Duration longest = atMost(setup.isPair() ? LONGEST_OF_A_PAIR : LONGEST_FAULT);
            strike(fault, FaultStrike.any(fault, stage, random, longest), stage.history());
            stage.settle();
        }
    }

    /** Less in a run that is a short one, so that it has room for more than one fault. */
    private Duration atMost(Duration usual) {
        Duration share = time.dividedBy(6);
        return share.compareTo(usual) < 0 ? share : usual;
    }

    private void strike(FaultKind fault, FaultStrike blow, History history) {
        progress.accept(fault.title() + " " + blow.target());
        history.now("fault", "kind", fault.title(), "target", blow.target());
        fault.strike(blow);
        history.now("over", "kind", fault.title());
    }

    /** Leaves everything whole for a while: what fails, is lost or waits now has no excuse. */
    private void stayCalm(History history) {
        long from = System.nanoTime();
        FaultStrike.pause(atMost(LONGEST_END));
        history.now("calm", "from", from);
    }

    /** Until every thread was granted something again; if that takes too long, the checker says so. */
    private void awaitService() {
        long start = System.nanoTime();
        while (System.nanoTime() - start < Caller.PATIENCE.toNanos()
                && !EndRule.unservedSince(Records.in(directory), start).isEmpty()) {
            FaultStrike.pause(Duration.ofMillis(500));
        }
    }

    /** Takes everything at once: nothing was left locked. On a busy machine a first answer may come too late. */
    private void sweep(ChaosServers stage) {
        long start = System.nanoTime();
        String failure = trySweep(stage);
        while (!failure.isEmpty() && System.nanoTime() - start < Caller.PATIENCE.toNanos()) {
            FaultStrike.pause(Duration.ofMillis(500));
            failure = trySweep(stage);
        }
        if (!failure.isEmpty()) {
            stage.history().now("unswept", "text", failure);
        }
    }

    private String trySweep(ChaosServers stage) {
        LockRequest everything = LockRequest.exclusive(
                Stream.concat(Estate.houses().stream(), Estate.carts().stream()).toArray(LockKey[]::new));
        try (Locks locks = Locks.builder(setup.store(stage.urls()))
                        .defaultTerm(Setup.TERM)
                        .build();
                Lease lease = locks.acquire(everything.within(Caller.PATIENCE))) {
            stage.history().now("swept", "token", lease.token());
            return "";
        } catch (LockException e) {
            return e.toString();
        }
    }
}
