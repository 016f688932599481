package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.cli.store.RestartableStore;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** A server that has forgotten leases whose holders still count on them. */
final class RestartBehaviours {
    /** Two clocks, and the rounding of both, are compared. */
    private static final Duration SLACK = Duration.ofMillis(50);

    private RestartBehaviours() {}

    static List<Behaviour> all() {
        return List.of(new Behaviour(
                "X5",
                "the store loses its memory, as in a restart, while a lock is held",
                "it grants nothing until the longest lease has passed, when the lease of before has expired; tokens rise",
                stage -> tryRestart(stage, new Things("X5"))));
    }

    private static TrialOutcome tryRestart(Stage stage, Things things) throws Exception {
        Optional<RestartableStore> store = stage.restartable();
        if (store.isEmpty()) {
            return new TrialOutcome.Inapplicable(
                    "this store keeps no leases that it could forget while their holders live. Locks in memory end with their process;"
                            + " locks on a database end with the holder's connection, also when the server restarts, which can't be"
                            + " tried from here: docs/guarantees.md says what holds then.");
        }
        Locks holder = stage.party(store.get());
        Locks other = stage.party(store.get());
        Duration longest = stage.pace().term();
        stage.takeBriefly(other, exclusive(things.character()));
        Lease before = stage.take(holder, exclusive(things.resource("r1")).forTerm(longest));
        long forgotten = System.nanoTime();
        store.get().restart();
        requireSilence(other, things.character(), forgotten, longest);
        Succession next = await(stage, Succession.start(before, other, things.resource("r1")));
        Duration after = since(forgotten);
        requireSuccession(before, next, after, longest);
        next.next().close();
        return new TrialOutcome.Passed(
                "granted " + Figures.of(after) + " later, with a longest lease of " + Figures.of(longest) + "; tokens "
                        + before.token() + ", " + next.next().token());
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }

    /** Also what was free before is not granted: the store can't know that it was. */
    private static void requireSilence(Locks party, LockKey key, long forgotten, Duration longest) throws Mismatch {
        try {
            if (party.tryAcquire(exclusive(key)) instanceof Granted granted) {
                granted.lease().close();
                requireQuiet(since(forgotten), longest);
            }
        } catch (LockException e) {
            if (e.code() != ErrorCode.STORE_UNAVAILABLE) {
                throw e;
            }
        }
    }

    private static void requireQuiet(Duration after, Duration longest) throws Mismatch {
        if (after.plus(SLACK).compareTo(longest) < 0) {
            throw Mismatch.notExcluded("a lock was granted " + Figures.of(after)
                    + " after the store lost its memory, and leases of before may last for " + Figures.of(longest));
        }
    }

    private static Succession await(Stage stage, Work<Succession> work) throws Exception {
        Duration patience = stage.pace().patience();
        try {
            Succession succession = work.result(patience.plus(stage.pace().term()));
            stage.pulse().beat();
            return succession;
        } catch (LockException | TimeoutException e) {
            throw Mismatch.notFree(
                    "the lock was not granted again within " + Figures.of(patience) + ": " + e.getMessage());
        }
    }

    private static void requireSuccession(Lease before, Succession next, Duration after, Duration longest)
            throws Mismatch {
        if (next.met()) {
            throw Mismatch.notExcluded("the next was granted the lock while the first could still count on its lease");
        }
        requireQuiet(after, longest);
        if (next.next().token().compareTo(before.token()) <= 0) {
            throw Mismatch.of(
                    "token " + next.next().token() + " came after " + before.token(),
                    "A resource that is guarded by tokens would refuse the new holder and accept the one of before.");
        }
    }
}
