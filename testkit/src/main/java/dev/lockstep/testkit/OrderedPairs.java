package dev.lockstep.testkit;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every ordered pair of things: whether the second can be acquired beside the first, and is granted once that is released. */
final class OrderedPairs {
    private OrderedPairs() {}

    /** A thing to lock; the oracle knows nothing but its path. */
    record Thing(String path, LockKey key, boolean shared) {
        LockRequest request() {
            return shared ? LockRequest.shared(key) : LockRequest.exclusive(key);
        }

        /** Things meet when they are one or one contains the other. */
        boolean conflictsWith(Thing later) {
            boolean meet = (path + "/").startsWith(later.path + "/") || (later.path + "/").startsWith(path + "/");
            return meet && !(shared && later.shared);
        }

        @Override
        public String toString() {
            return (shared ? "shared " : "exclusive ") + path;
        }
    }

    /** Two users with two accounts each, with two resources each; exclusive and, if asked, also shared. */
    static List<Thing> things(boolean alsoShared) {
        List<Thing> things = new ArrayList<>();
        for (boolean shared : alsoShared ? new boolean[] {false, true} : new boolean[] {false}) {
            for (String user : List.of("u1", "u2")) {
                things.add(new Thing(user, Tenancy.user(user), shared));
                for (String account : List.of("a1", "a2")) {
                    things.add(new Thing(user + "/" + account, Tenancy.account(user, account), shared));
                    for (String resource : List.of("r1", "r2")) {
                        things.add(new Thing(
                                user + "/" + account + "/" + resource,
                                Tenancy.resource(user, account, resource),
                                shared));
                    }
                }
            }
        }
        return things;
    }

    /** What is not as it should be. */
    static List<String> failures(List<Thing> things, ContractStage stage) {
        List<String> failures = new ArrayList<>();
        for (Thing first : things) {
            for (Thing second : things) {
                String failure = failure(first, second, stage);
                if (failure != null) {
                    failures.add(first + ", then " + second + ": " + failure);
                }
            }
        }
        return failures;
    }

    private static @Nullable String failure(Thing first, Thing second, ContractStage stage) {
        try (Lease held = stage.first().acquire(first.request())) {
            Attempt beside = stage.second().tryAcquire(second.request());
            boolean blocked = !closeIfGranted(beside);
            if (blocked != first.conflictsWith(second)) {
                return "should be " + (blocked ? "allowed" : "blocked") + ", but was " + beside;
            }
            return blocked ? failureAfterWait(held, second, stage) : null;
        }
    }

    /** The request that waits for the first lease must be the one that is granted once that is released, not a later one. */
    private static @Nullable String failureAfterWait(Lease held, Thing second, ContractStage stage) {
        Task<Lease> waiting = Task.start("second", () -> stage.second().acquire(second.request()));
        stage.awaitWaiting(waiting);
        if (waiting.isDone()) {
            return "did not wait for the release";
        }
        held.close();
        waiting.awaitDone();
        if (waiting.hasFailed()) {
            return "waited, and failed after the release: " + waiting.failure();
        }
        try (Lease granted = waiting.result()) {
            return granted.isHeld() ? null : "waited, but does not hold the lock after the release";
        }
    }

    private static boolean closeIfGranted(Attempt attempt) {
        if (attempt instanceof Granted granted) {
            granted.lease().close();
            return true;
        }
        return false;
    }
}
