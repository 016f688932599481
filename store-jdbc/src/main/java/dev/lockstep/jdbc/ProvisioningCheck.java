package dev.lockstep.jdbc;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.jdbc.provisioning.BucketRows;
import dev.lockstep.jdbc.provisioning.Chunks;
import dev.lockstep.jdbc.provisioning.KeyRows;
import dev.lockstep.jdbc.provisioning.ProvisioningPlan;
import dev.lockstep.jdbc.tables.KindLevel;
import dev.lockstep.jdbc.tables.KindRows;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.jdbc.tables.LockTables;
import dev.lockstep.jdbc.tables.TableSettings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** Finds missing rows: counts them by chunk, and searches only chunks that are incomplete. */
final class ProvisioningCheck {
    private final Connection connection;
    private final ProvisioningPlan plan;
    private final List<MissingRange> ranges = new ArrayList<>();
    private long rows;

    ProvisioningCheck(Connection connection, ProvisioningPlan plan) {
        this.connection = connection;
        this.plan = plan;
    }

    MissingRows missing() throws SQLException {
        LockTables tables = LockTables.open(connection);
        TableSettings settings = plan.accept(new TableSettings(tables.layout(), tables.buckets()));
        List<String> kinds = missingKinds(tables.rows());
        if (settings.layout() == Layout.IDS) {
            List<String> keys = missingKeys();
            return new MissingRows(keys.size(), kinds, List.of(), firstOf(keys));
        }
        Chunks chunks = new Chunks(settings.buckets(), plan.chunk());
        for (KindLevel kind : plan.chosen(tables.rows())) {
            findMissing(kind, chunks);
        }
        return new MissingRows(rows, kinds, ranges, List.of());
    }

    private List<String> missingKinds(KindRows recorded) {
        TreeSet<String> missing = new TreeSet<>();
        recorded.unrecorded(plan.kinds().orElse(List.of())).stream()
                .map(KindDefinition::prefix)
                .forEach(missing::add);
        plan.chosen(recorded).stream()
                .filter(recorded.unfilled()::contains)
                .map(KindLevel::prefix)
                .forEach(missing::add);
        return List.copyOf(missing);
    }

    private List<String> missingKeys() throws SQLException {
        List<String> missing = new ArrayList<>();
        for (List<String> batch : KeyRows.batches(plan.keys())) {
            missing.addAll(new KeyRows(connection).missing(batch));
        }
        return missing;
    }

    private static List<String> firstOf(List<String> keys) {
        return keys.subList(0, Math.min(keys.size(), MissingRows.LISTED));
    }

    private void findMissing(KindLevel kind, Chunks chunks) throws SQLException {
        BucketRows table = new BucketRows(connection, chunks);
        int[] counts = table.counts(kind.level());
        for (int chunk = 0; chunk < counts.length; chunk++) {
            int missing = chunks.rowsOf(chunk) - counts[chunk];
            rows += missing;
            int limit = MissingRows.LISTED - ranges.size();
            if (missing > 0 && limit > 0) {
                table.gaps(kind.level(), chunk, limit)
                        .forEach(gap -> add(new MissingRange(kind.prefix(), kind.level(), gap.first(), gap.last())));
            }
        }
    }

    private void add(MissingRange range) {
        int last = ranges.size() - 1;
        if (last >= 0 && ranges.get(last).continuedBy(range)) {
            ranges.set(last, ranges.get(last).upTo(range));
        } else {
            ranges.add(range);
        }
    }
}
