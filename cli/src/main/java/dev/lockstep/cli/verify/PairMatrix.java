package dev.lockstep.cli.verify;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Every ordered pair of requests: whether the second is granted beside the first, and after it. */
record PairMatrix(List<Entry> entries) {
    /** A request; what should become of it follows from the names alone. */
    record Entry(LockKey key, boolean shared) {
        LockRequest request() {
            return shared ? LockRequest.shared(key) : LockRequest.exclusive(key);
        }

        /** Things meet when they are one or one contains the other. */
        boolean conflictsWith(Entry later) {
            String path = key + "/";
            String other = later.key + "/";
            return (path.startsWith(other) || other.startsWith(path)) && !(shared && later.shared);
        }
    }

    /** Of everything in the hierarchy, exclusively. */
    static PairMatrix exclusive(Things things) {
        return new PairMatrix(tree(things, false));
    }

    /** Of everything in the hierarchy, exclusively and shared; without intent modes only resources can be shared. */
    static PairMatrix ofModes(Things things, boolean intents) {
        List<Entry> entries = new ArrayList<>(tree(things, false));
        tree(things, true).stream()
                .filter(entry -> intents || entry.key.kind().leaf())
                .forEach(entries::add);
        return new PairMatrix(entries);
    }

    private static List<Entry> tree(Things things, boolean shared) {
        return things.all().stream()
                .filter(key -> key.rank() <= TrialKind.RESOURCE.rank())
                .map(key -> new Entry(key, shared))
                .toList();
    }

    int pairs() {
        return entries.size() * entries.size();
    }

    /** What is not as it should be, pair by pair. */
    List<String> failures(Stage stage) {
        List<String> failures = new ArrayList<>();
        int done = 0;
        for (Entry first : entries) {
            for (Entry second : entries) {
                failure(first, second, stage)
                        .ifPresent(failure ->
                                failures.add(first.request() + ", then " + second.request() + ": " + failure));
                stage.pulse().beat(++done, pairs());
            }
        }
        return failures;
    }

    private static Optional<String> failure(Entry first, Entry second, Stage stage) {
        Attempt alone = stage.first().tryAcquire(first.request());
        if (!(alone instanceof Granted held)) {
            return Optional.of("the first was refused, though nothing was held");
        }
        boolean blocked;
        try (Lease lease = held.lease()) {
            blocked = !stage.isGranted(stage.second(), second.request());
            lease.ensureHeld();
        }
        if (blocked != first.conflictsWith(second)) {
            return Optional.of(blocked ? "refused, and should be granted" : "granted, and should be refused");
        }
        return stage.isGranted(stage.second(), second.request())
                ? Optional.empty()
                : Optional.of("refused after the release");
    }
}
