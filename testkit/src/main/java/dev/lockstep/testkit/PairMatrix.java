package dev.lockstep.testkit;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Every ordered pair of things: whether the second can be had beside the first, and after it. */
final class PairMatrix {
    private PairMatrix() {}

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
    static List<String> failures(List<Thing> things, Locks one, Locks other) {
        List<String> failures = new ArrayList<>();
        for (Thing first : things) {
            for (Thing second : things) {
                String failure = failure(first, second, one, other);
                if (failure != null) {
                    failures.add(first + ", then " + second + ": " + failure);
                }
            }
        }
        return failures;
    }

    private static @Nullable String failure(Thing first, Thing second, Locks one, Locks other) {
        Lease held = one.acquire(first.request());
        Attempt beside = other.tryAcquire(second.request());
        boolean blocked = !closeIfGranted(beside);
        held.close();
        if (blocked != first.conflictsWith(second)) {
            return "should be " + (blocked ? "allowed" : "blocked") + ", but was " + beside;
        }
        return closeIfGranted(other.tryAcquire(second.request())) ? null : "not granted after the release";
    }

    private static boolean closeIfGranted(Attempt attempt) {
        if (attempt instanceof Granted granted) {
            granted.lease().close();
            return true;
        }
        return false;
    }
}
