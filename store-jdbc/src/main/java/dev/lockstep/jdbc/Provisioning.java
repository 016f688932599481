package dev.lockstep.jdbc;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.jdbc.provisioning.Chunks;
import dev.lockstep.jdbc.provisioning.ProvisioningPlan;
import dev.lockstep.jdbc.provisioning.ProvisioningScript;
import dev.lockstep.jdbc.provisioning.ProvisioningSession;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import dev.lockstep.jdbc.tables.KindRows;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.jdbc.tables.LockTables;
import dev.lockstep.jdbc.tables.TableSchema;
import dev.lockstep.jdbc.tables.TableSettings;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Creates the tables and rows that row locks on MySQL and MariaDB need, once, before they are used.
 *
 * <p>It works in chunks, each a short transaction. It can be killed and run again, by several processes at once and beside
 * running locks, and creates only what is missing. An instance is for one thread.
 *
 * <pre>{@code Provisioning.of(dataSource).kinds(Tenancy.values()).buckets(1_000_000).listener(System.out::println).run();}</pre>
 */
public final class Provisioning {
    /** The default number of rows of each kind in a new database. */
    public static final int BUCKETS = 10_000_000;

    /** The default number of rows that one transaction creates. */
    public static final int CHUNK = Chunks.DEFAULT_SIZE;

    private final DataSource dataSource;
    private @Nullable List<KindDefinition> kinds;
    private OptionalInt buckets = OptionalInt.empty();
    private int bucketsIfNew = BUCKETS;
    private int chunk = CHUNK;
    private @Nullable List<String> keys;
    private ProvisioningListener listener = progress -> {};

    private Provisioning(DataSource dataSource) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
    }

    /** For the database that the connections of this source lead to. The user needs CREATE, SELECT, INSERT and UPDATE. */
    public static Provisioning of(DataSource dataSource) {
        return new Provisioning(dataSource);
    }

    /** For these kinds and those above them. Without any: for all kinds that the database knows. */
    public Provisioning kinds(LockKind... kinds) {
        return definitions(Stream.of(kinds)
                .flatMap(kind -> KindDefinition.chain(kind).stream())
                .toList());
    }

    /** The same as {@link #kinds}. With an empty list, only the tables are created. */
    Provisioning definitions(List<KindDefinition> definitions) {
        List<KindDefinition> merged = new ArrayList<>(kinds == null ? List.of() : kinds);
        merged.addAll(definitions);
        kinds = merged.stream().distinct().toList();
        KindRows.requireLevels(kinds.size());
        return this;
    }

    /**
     * Sets the number of rows of each kind. The default is {@value #BUCKETS} in a new database, else the recorded number. Another number than the
     * recorded one is refused. {@link BucketSizing} helps to choose.
     */
    public Provisioning buckets(int count) {
        buckets = OptionalInt.of(requireBuckets(count));
        return this;
    }

    /** Sets the number of rows of each kind in a new database; elsewhere the recorded number counts. */
    Provisioning bucketsIfNew(int count) {
        bucketsIfNew = requireBuckets(count);
        return this;
    }

    private static int requireBuckets(int count) {
        if (count < 1) {
            throw new InvalidRequestException("buckets(" + count + ") is not a number of rows. Give 1 to "
                    + Integer.MAX_VALUE + ", such as the usual " + BUCKETS + ".");
        }
        return count;
    }

    /** Sets the number of rows that one transaction creates, {@value #CHUNK} by default. */
    public Provisioning chunk(int rows) {
        chunk = new Chunks(rows, rows).size();
        return this;
    }

    /**
     * A row for each of these keys and the keys above them, instead of buckets: for a small set of ids that is known beforehand. A
     * database has either buckets or ids. More keys can be added at any time.
     */
    public Provisioning ids(Collection<LockKey> ids) {
        keys = ids.stream()
                .flatMap(key -> IntStream.range(0, key.depth()).mapToObj(key::ancestor))
                .map(Provisioning::text)
                .distinct()
                .sorted()
                .toList();
        return kinds(ids.stream().map(LockKey::kind).distinct().toArray(LockKind[]::new));
    }

    private static String text(LockKey key) {
        String text = key.toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > TableSchema.KEY_BYTES) {
            throw new InvalidRequestException("The key '" + text.substring(0, 100) + "…' is longer than the "
                    + TableSchema.KEY_BYTES + " bytes that hier_locks can hold. Use shorter ids, or buckets.");
        }
        return text;
    }

    /** Reports progress to this listener. */
    public Provisioning listener(ProvisioningListener listener) {
        this.listener = Objects.requireNonNull(listener, "listener");
        return this;
    }

    /** Creates what is missing. If another run is in progress in the database, waits for it first. */
    public ProvisioningReport run() {
        ProvisioningPlan plan = plan();
        try (ProvisioningSession session = ProvisioningSession.open(dataSource)) {
            return new ProvisioningRun(session, plan, listener).run();
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Provisioning the lock tables");
        }
    }

    /** What is missing now. Changes nothing and takes no locks, so it can run at any time. */
    public MissingRows missing() {
        ProvisioningPlan plan = plan();
        try (ProvisioningSession session = ProvisioningSession.open(dataSource)) {
            return new ProvisioningCheck(session.connection(), plan).missing();
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Checking the lock tables");
        }
    }

    /** How many rows each kind has, by what is recorded in the database; empty where rows stand for ids. */
    public OptionalInt recordedBuckets() {
        try (ProvisioningSession session = ProvisioningSession.open(dataSource)) {
            LockTables tables = LockTables.open(session.connection());
            return tables.layout() == Layout.IDS ? OptionalInt.empty() : OptionalInt.of(tables.buckets());
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Reading the lock tables");
        }
    }

    /**
     * The same as SQL, for a migration: statements for the client of MySQL or MariaDB, or for a migration tool. Running them
     * twice does no harm. Needs no database.
     */
    public String script() {
        return new ProvisioningScript(plan()).text();
    }

    private ProvisioningPlan plan() {
        if (keys != null && buckets.isPresent()) {
            throw new InvalidRequestException(
                    "Both ids(…) and buckets(…) are given. A database has either: leave one out.");
        }
        TableSettings settings = keys == null
                ? new TableSettings(Layout.BUCKETS, buckets.orElse(bucketsIfNew))
                : new TableSettings(Layout.IDS, 0);
        boolean fixed = keys != null || buckets.isPresent();
        return new ProvisioningPlan(
                Optional.ofNullable(kinds), settings, fixed, keys == null ? List.of() : keys, chunk);
    }
}
