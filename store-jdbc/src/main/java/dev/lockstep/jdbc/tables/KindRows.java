package dev.lockstep.jdbc.tables;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.spi.KindRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What {@code hier_lock_kinds} says.
 *
 * @param filled the kinds that can be locked, because all their rows are there
 * @param unfilled the kinds whose rows are still being created, or were never finished
 */
public record KindRows(List<KindLevel> filled, List<KindLevel> unfilled) {
    private static final String INSERT = """
            INSERT INTO hier_lock_kinds (prefix, lock_rank, parent, depth, level, leaf, filled)
            VALUES (?, ?, ?, ?, ?, ?, FALSE)""";

    public static KindRows read(Connection connection) throws SQLException {
        String query = """
                SELECT prefix, lock_rank, parent, depth, level, leaf, filled
                FROM hier_lock_kinds
                ORDER BY lock_rank""";
        List<KindLevel> filled = new ArrayList<>();
        List<KindLevel> unfilled = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            while (row.next()) {
                (row.getBoolean(7) ? filled : unfilled).add(kindOf(row));
            }
        }
        return new KindRows(List.copyOf(filled), List.copyOf(unfilled));
    }

    private static KindLevel kindOf(ResultSet row) throws SQLException {
        return new KindLevel(
                new KindDefinition(
                        row.getString(1),
                        row.getInt(2),
                        Optional.ofNullable(row.getString(3)),
                        row.getInt(4),
                        row.getBoolean(6)),
                row.getInt(5));
    }

    /** All kinds, whether filled or not, in order of rank. */
    public List<KindLevel> all() {
        List<KindLevel> all = new ArrayList<>(filled);
        all.addAll(unfilled);
        all.sort(Comparator.comparingInt(kind -> kind.definition().rank()));
        return all;
    }

    /** Those of some kinds that aren't recorded; refuses what contradicts the recorded ones. */
    public List<KindDefinition> unrecorded(List<KindDefinition> wanted) {
        List<KindDefinition> known = all().stream().map(KindLevel::definition).toList();
        KindRegistry registry = new KindRegistry();
        registry.declare(known);
        registry.declare(wanted);
        return registry.definitions().stream()
                .filter(each -> !known.contains(each))
                .sorted(Comparator.comparingInt(KindDefinition::rank))
                .toList();
    }

    /** Records kinds that aren't yet, each with the next free level. Belongs into a transaction. */
    public static KindRows recordMissing(Connection connection, List<KindDefinition> wanted) throws SQLException {
        TableSettings.lock(connection);
        KindRows rows = read(connection);
        List<KindDefinition> added = rows.unrecorded(wanted);
        int level = rows.all().stream().mapToInt(KindLevel::level).max().orElse(-1) + 1;
        requireLevels(level + added.size());
        for (KindDefinition kind : added) {
            insert(connection, kind, level++);
        }
        return added.isEmpty() ? rows : read(connection);
    }

    public static void requireLevels(int count) {
        if (count > KindLevel.LEVELS) {
            throw new InvalidRequestException("There would be " + count + " kinds, and a database can hold "
                    + KindLevel.LEVELS + ". Declare fewer, or use another database for some of them.");
        }
    }

    private static void insert(Connection connection, KindDefinition kind, int level) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, kind.prefix());
            insert.setInt(2, kind.rank());
            if (kind.parent().isPresent()) {
                insert.setString(3, kind.parent().get());
            } else {
                insert.setNull(3, Types.VARCHAR);
            }
            insert.setInt(4, kind.level());
            insert.setInt(5, level);
            insert.setBoolean(6, kind.leaf());
            insert.executeUpdate();
        }
    }

    /** Says that all rows of a kind are there. */
    public static int markFilled(Connection connection, KindLevel kind) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("UPDATE hier_lock_kinds SET filled = TRUE WHERE prefix = ?")) {
            update.setString(1, kind.prefix());
            return update.executeUpdate();
        }
    }

    /** The names of kinds, for a message. */
    public static String names(List<KindDefinition> kinds) {
        return kinds.stream().map(kind -> "'" + kind.prefix() + "'").collect(Collectors.joining(", "));
    }
}
