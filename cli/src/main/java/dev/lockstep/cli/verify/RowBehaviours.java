package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;

import dev.lockstep.cli.store.LockRows;
import dev.lockstep.cli.verify.CrossingRows.Pair;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What only stores show on which keys are rows of a table. */
final class RowBehaviours {
    private static final String NO_ROWS =
            "this store locks no rows of a table, so there is none that two keys share or that can be missing.";

    private RowBehaviours() {}

    static List<Behaviour> all() {
        return List.of(
                new Behaviour(
                        "H8",
                        "two sets that meet in the same two rows, which their ids name in opposite order",
                        "rows are taken in the order of the table; all finish, none deadlocks, also with itself",
                        stage -> withRows(stage, rows -> tryCrossing(stage, CrossingRows.find(rows, "H8")))),
                new Behaviour(
                        "H9",
                        "a resource whose row is missing, and one whose user's row is missing",
                        "an error that names the table, the bucket and the provisioning command; nothing is locked",
                        stage -> withRows(stage, rows -> tryMissing(stage, new Things("H9"), rows))));
    }

    /** A trial that needs rows. */
    @FunctionalInterface
    private interface RowTrial {
        TrialOutcome run(LockRows rows) throws Exception;
    }

    private static TrialOutcome withRows(Stage stage, RowTrial trial) throws Exception {
        Optional<LockRows> rows = stage.rows();
        return rows.isPresent() ? trial.run(rows.get()) : new TrialOutcome.Inapplicable(NO_ROWS);
    }

    // ---- the order of rows

    private static TrialOutcome tryCrossing(Stage stage, CrossingRows sets) throws Exception {
        requireOrder(stage, sets.along());
        requireOrder(stage, sets.against());
        stage.takeBriefly(
                stage.first(),
                shared(sets.along().lower()).andExclusive(sets.against().lower()));
        return CrossingBehaviours.cross(
                stage, (thread, random) -> (thread % 2 == 0 ? sets.along() : sets.against()).keys());
    }

    /** While it waits for the higher row it holds the lower one; while it waits for the lower one, the higher one is free. */
    private static void requireOrder(Stage stage, Pair set) throws Exception {
        Lease higher = stage.take(stage.first(), exclusive(set.higher()));
        Work<Lease> waiting = stage.startWaiting("set", stage.second(), exclusive(set.keys()));
        if (!stage.isHeldBy(waiting, stage.second(), stage.third(), exclusive(set.lower()))) {
            throw againstTheTable(
                    set.lower() + ", in the lower row, was free while the set waited for " + set.higher());
        }
        higher.close();
        stage.served(waiting);
        Lease lower = stage.take(stage.first(), exclusive(set.lower()));
        waiting = stage.startWaiting("set", stage.second(), exclusive(set.keys()));
        if (!stage.isGranted(stage.third(), exclusive(set.higher()))) {
            throw againstTheTable(
                    set.higher() + ", in the higher row, was held while the set waited for " + set.lower());
        }
        lower.close();
        stage.served(waiting);
    }

    private static Mismatch againstTheTable(String seen) {
        return Mismatch.of(
                seen,
                "Rows are taken in the order of the ids: two sets whose ids meet the same rows in opposite order deadlock now and then.");
    }

    // ---- a missing row

    private static TrialOutcome tryMissing(Stage stage, Things things, LockRows rows) throws Mismatch {
        LockKey resource = things.resource("r1");
        List<String> errors = new ArrayList<>();
        for (LockKey missing : List.of(resource, resource.root())) {
            rows.delete(missing);
            try {
                errors.add(refusal(stage, resource, missing, rows));
            } finally {
                rows.provision();
            }
            stage.takeBriefly(stage.second(), exclusive(resource.root()));
            stage.takeBriefly(stage.first(), exclusive(resource));
        }
        return new TrialOutcome.Passed("refused, and granted once the row was there again. " + errors.get(0));
    }

    private static String refusal(Stage stage, LockKey resource, LockKey missing, LockRows rows) throws Mismatch {
        try {
            if (stage.first().tryAcquire(exclusive(resource)) instanceof Granted granted) {
                granted.lease().close();
                throw Mismatch.notExcluded(resource + " was granted although the row of " + missing + " is missing");
            }
        } catch (LockException e) {
            String message = String.valueOf(e.getMessage());
            List<String> unnamed = Stream.of(rows.table(), "bucket = " + rows.bucket(missing), "lockstep provision")
                    .filter(word -> !message.contains(word))
                    .toList();
            if (e.code() != ErrorCode.STORE_FAILED || !unnamed.isEmpty()) {
                throw unclear("The error doesn't say " + unnamed + ": " + message);
            }
            return message;
        }
        throw unclear(resource + " was refused as if another party held it");
    }

    private static Mismatch unclear(String seen) {
        return Mismatch.of(seen, "Nothing is locked, but the error doesn't lead to the row that is missing.");
    }
}
