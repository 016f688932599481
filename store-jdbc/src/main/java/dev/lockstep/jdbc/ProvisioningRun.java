package dev.lockstep.jdbc;

import dev.lockstep.core.LockClock;
import dev.lockstep.jdbc.provisioning.BucketRows;
import dev.lockstep.jdbc.provisioning.Chunks;
import dev.lockstep.jdbc.provisioning.KeyRows;
import dev.lockstep.jdbc.provisioning.ProvisioningPlan;
import dev.lockstep.jdbc.provisioning.ProvisioningSession;
import dev.lockstep.jdbc.provisioning.ProvisioningTurn;
import dev.lockstep.jdbc.tables.KindLevel;
import dev.lockstep.jdbc.tables.KindRows;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.jdbc.tables.TableSchema;
import dev.lockstep.jdbc.tables.TableSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One run of {@link Provisioning}: first the tables and what is recorded in them, then the rows. */
final class ProvisioningRun {
    private final ProvisioningSession session;
    private final Connection connection;
    private final ProvisioningPlan plan;
    private final ProvisioningListener listener;

    ProvisioningRun(ProvisioningSession session, ProvisioningPlan plan, ProvisioningListener listener) {
        this.session = session;
        this.connection = session.connection();
        this.plan = plan;
        this.listener = new GuardedListener(listener);
    }

    @SuppressWarnings("try") // the turn is only held
    ProvisioningReport run() throws SQLException {
        LockClock clock = LockClock.system();
        long start = clock.nanos();
        try (ProvisioningTurn turn = ProvisioningTurn.await(connection, listener::waiting)) {
            ProgressMeter meter = provision();
            return new ProvisioningReport(meter.made(), meter.others(), Duration.ofNanos(clock.nanos() - start));
        }
    }

    private ProgressMeter provision() throws SQLException {
        TableSchema.create(connection, TableSchema.SETTINGS, TableSchema.KINDS);
        TableSettings settings = session.inTransaction(() -> plan.settle(connection));
        TableSchema.create(connection, settings.layout().rows());
        KindRows kinds = session.inTransaction(
                () -> KindRows.recordMissing(connection, plan.kinds().orElse(List.of())));
        return settings.layout() == Layout.IDS ? addKeys(kinds) : fill(kinds, settings.buckets());
    }

    private ProgressMeter addKeys(KindRows kinds) throws SQLException {
        KeyRows rows = new KeyRows(connection);
        ProgressMeter meter = new ProgressMeter(plan.keys().size(), listener);
        for (List<String> batch : KeyRows.batches(plan.keys())) {
            ProvisioningSession.requireNotInterrupted();
            List<String> missing = rows.missing(batch);
            meter.found(batch.size() - missing.size());
            meter.made(missing.size(), session.inTransaction(() -> rows.insert(missing)));
        }
        for (KindLevel kind : plan.chosen(kinds)) {
            markFilled(kind, kinds);
        }
        return meter.done();
    }

    private ProgressMeter fill(KindRows kinds, int buckets) throws SQLException {
        Chunks chunks = new Chunks(buckets, plan.chunk());
        BucketRows rows = new BucketRows(connection, chunks);
        List<KindLevel> chosen = plan.chosen(kinds);
        ProgressMeter meter = new ProgressMeter((long) buckets * chosen.size(), listener);
        Map<KindLevel, int[]> counts = new LinkedHashMap<>();
        for (KindLevel kind : chosen) {
            int[] found = session.inTransaction(() -> rows.counts(kind.level()));
            counts.put(kind, found);
            meter.found(sum(found));
        }
        for (Map.Entry<KindLevel, int[]> each : counts.entrySet()) {
            fill(each.getKey(), each.getValue(), rows, chunks, meter);
            markFilled(each.getKey(), kinds);
        }
        return meter.done();
    }

    private void fill(KindLevel kind, int[] counts, BucketRows rows, Chunks chunks, ProgressMeter meter)
            throws SQLException {
        for (int i = 0; i < counts.length; i++) {
            int chunk = i;
            int missing = chunks.rowsOf(chunk) - counts[chunk];
            if (missing > 0) {
                ProvisioningSession.requireNotInterrupted();
                meter.made(
                        missing,
                        session.inTransaction(() -> counts[chunk] == 0
                                ? rows.fill(kind.level(), chunk)
                                : rows.repair(kind.level(), chunk)));
            }
        }
    }

    private void markFilled(KindLevel kind, KindRows kinds) throws SQLException {
        if (kinds.unfilled().contains(kind)) {
            session.inTransaction(() -> KindRows.markFilled(connection, kind));
        }
    }

    private static long sum(int[] counts) {
        long sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }
}
