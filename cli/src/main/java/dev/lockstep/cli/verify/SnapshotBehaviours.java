package dev.lockstep.cli.verify;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Who holds and who waits, as another party sees it. */
final class SnapshotBehaviours {
    private static final Duration SHOWN_WITHIN = Duration.ofSeconds(2);

    private static final String WAITER = "the waiter";

    private SnapshotBehaviours() {}

    static List<Behaviour> all() {
        return List.of(new Behaviour(
                "X7",
                "a third party looks while one holds and another waits",
                "the snapshot names both, and the key",
                stage -> trySight(stage, new Things("X7"))));
    }

    private static TrialOutcome trySight(Stage stage, Things things) throws Exception {
        LockKey key = things.resource("r1");
        Lease held = stage.take(stage.first(), exclusive(key).as("verify-holder"));
        Work<Lease> waiting = stage.startWaiting("verify-waiter", stage.second(), exclusive(key));
        List<String> missing = missing(stage, key);
        for (long start = System.nanoTime();
                !missing.isEmpty()
                        && System.nanoTime() - start < limit(stage, missing).toNanos();
                missing = missing(stage, key)) {
            TimeUnit.MILLISECONDS.sleep(10);
        }
        held.close();
        stage.served(waiting);
        return missing.isEmpty()
                ? new TrialOutcome.Passed("the snapshot named the holder and the waiter of " + key)
                : new TrialOutcome.Doubtful(
                        "the snapshot of another party didn't name " + String.join(" and ", missing),
                        "Locks work without it. lockstep doctor says which right or setting is missing: on MySQL and MariaDB SELECT ON"
                                + " performance_schema.* and PROCESS ON *.*, on MariaDB also performance_schema = ON; on PostgreSQL"
                                + " pg_read_all_stats.");
    }

    /** Where the holder is shown, the waiter may only be late. */
    private static Duration limit(Stage stage, List<String> missing) {
        return missing.equals(List.of(WAITER)) ? stage.pace().patience().dividedBy(2) : SHOWN_WITHIN;
    }

    private static List<String> missing(Stage stage, LockKey key) {
        LockSnapshot seen = stage.third().snapshot();
        List<String> missing = new ArrayList<>();
        if (seen.holders().stream()
                .noneMatch(each -> each.key().equals(key) && each.owner().equals("verify-holder"))) {
            missing.add("the holder");
        }
        if (seen.waiters().stream()
                .noneMatch(each -> each.key().equals(key) && each.owner().equals("verify-waiter"))) {
            missing.add(WAITER);
        }
        return missing;
    }
}
