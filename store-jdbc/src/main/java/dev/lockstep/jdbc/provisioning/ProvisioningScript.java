package dev.lockstep.jdbc.provisioning;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.spi.KindRegistry;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.jdbc.tables.TableSchema;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.StringJoiner;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Provisioning as SQL. What contradicts an earlier run fails with a duplicate key: a row is inserted unless the very same
 * row is there. Each chunk is committed, also where a migration tool has switched autocommit off.
 */
public final class ProvisioningScript {
    private final ProvisioningPlan plan;
    private final List<KindDefinition> kinds;
    private final StringJoiner text = new StringJoiner("\n\n", "", "\n");

    public ProvisioningScript(ProvisioningPlan plan) {
        this.plan = plan;
        this.kinds = plan.kinds().orElse(List.of()).stream()
                .sorted(Comparator.comparingInt(KindDefinition::rank))
                .toList();
        if (kinds.isEmpty()) {
            throw new InvalidRequestException(
                    "A script needs to know the kinds. Name them: kinds(MyKinds.values()), or ids(…) with keys.");
        }
        new KindRegistry().declare(kinds);
    }

    public String text() {
        Layout layout = plan.settings().layout();
        add("-- Rows for locks on MySQL 8 or MariaDB. Another layout, bucket count or kind than an earlier one"
                + "\n-- is refused with a duplicate key. Running this again adds only what is missing.");
        Stream.of(TableSchema.SETTINGS, TableSchema.KINDS, layout.rows()).forEach(table -> add(table.ddl() + ";"));
        plan.settings().rows().forEach(this::addSetting);
        kinds.forEach(this::addKind);
        add("COMMIT;");
        if (layout == Layout.BUCKETS) {
            addBuckets(new Chunks(plan.settings().buckets(), plan.chunk()));
        } else {
            KeyRows.batches(plan.keys()).forEach(this::addKeys);
        }
        add("UPDATE hier_lock_kinds SET filled = TRUE WHERE prefix IN (" + prefixes() + ");\nCOMMIT;");
        return text.toString();
    }

    private void add(String sql) {
        text.add(sql);
    }

    private void addSetting(String name, String value) {
        add("""
                INSERT INTO hier_lock_settings (name, value)
                SELECT wanted.name, wanted.value
                FROM (SELECT '%s' AS name, '%s' AS value) AS wanted
                WHERE NOT EXISTS (SELECT 1 FROM hier_lock_settings WHERE name = '%1$s' AND value = '%2$s');""".formatted(name, value));
    }

    private void addKind(KindDefinition kind) {
        String parent = kind.parent().map(ProvisioningScript::quoted).orElse("NULL");
        String leaf = kind.leaf() ? "TRUE" : "FALSE";
        add("""
                INSERT INTO hier_lock_kinds (prefix, lock_rank, parent, depth, level, leaf, filled)
                SELECT %1$s, %2$d, %3$s, %4$d, free.level, %5$s, FALSE
                FROM (SELECT COALESCE(MAX(level) + 1, 0) AS level FROM hier_lock_kinds) AS free
                WHERE NOT EXISTS (
                  SELECT 1 FROM hier_lock_kinds
                  WHERE prefix = %1$s AND lock_rank = %2$d AND parent <=> %3$s AND depth = %4$d AND leaf = %5$s
                );""".formatted(quoted(kind.prefix()), kind.rank(), parent, kind.level(), leaf));
    }

    /** The first chunk is made of numbers; the others are copies of it, which keeps the script short. */
    private void addBuckets(Chunks chunks) {
        add("""
                INSERT IGNORE INTO hier_lock_buckets (level, bucket)
                %s
                SELECT kinds.level, n
                FROM numbers CROSS JOIN hier_lock_kinds AS kinds
                WHERE kinds.prefix IN (%s) AND n < %d
                ORDER BY kinds.level, n;
                COMMIT;""".formatted(chunks.numbers(), prefixes(), chunks.rowsOf(0)));
        for (KindDefinition kind : kinds) {
            for (int chunk = 1; chunk < chunks.count(); chunk++) {
                addCopy(kind, chunks.first(chunk), chunks.rowsOf(chunk));
            }
        }
    }

    private void addCopy(KindDefinition kind, int first, int rows) {
        add("""
                INSERT IGNORE INTO hier_lock_buckets (level, bucket)
                SELECT level, bucket + %d FROM hier_lock_buckets
                WHERE level = (SELECT level FROM hier_lock_kinds WHERE prefix = %s) AND bucket < %d ORDER BY bucket;
                COMMIT;""".formatted(first, quoted(kind.prefix()), rows));
    }

    private void addKeys(List<String> keys) {
        String rows = keys.stream().map(key -> "  (" + literal(key) + ")").collect(Collectors.joining(",\n"));
        add("INSERT IGNORE INTO hier_locks (lock_key) VALUES\n" + rows + ";\nCOMMIT;");
    }

    private String prefixes() {
        return kinds.stream().map(kind -> quoted(kind.prefix())).collect(Collectors.joining(", "));
    }

    private static String quoted(String plain) {
        return "'" + plain + "'";
    }

    /** What a quoted string might mean differently under some sql_mode or character set goes as bytes. */
    private static String literal(String key) {
        return key.matches("[A-Za-z0-9_.:/%@+-]+")
                ? quoted(key)
                : "x'" + HexFormat.of().formatHex(key.getBytes(StandardCharsets.UTF_8)) + "'";
    }
}
