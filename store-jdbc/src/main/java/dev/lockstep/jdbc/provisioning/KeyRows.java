package dev.lockstep.jdbc.provisioning;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** The rows of {@code hier_locks}, one for each key. */
public final class KeyRows {
    private static final int BATCH = 1_000;

    private final Connection connection;

    public KeyRows(Connection connection) {
        this.connection = connection;
    }

    public static List<List<String>> batches(List<String> keys) {
        List<List<String>> batches = new ArrayList<>();
        for (int from = 0; from < keys.size(); from += BATCH) {
            batches.add(keys.subList(from, Math.min(keys.size(), from + BATCH)));
        }
        return batches;
    }

    /** Those keys of a batch that have no row. Takes no locks. */
    public List<String> missing(List<String> batch) throws SQLException {
        String query = "SELECT lock_key FROM hier_locks WHERE lock_key IN (" + repeated("?", batch.size()) + ")";
        Set<String> present = new HashSet<>();
        try (PreparedStatement statement = prepare(query, batch);
                ResultSet row = statement.executeQuery()) {
            while (row.next()) {
                present.add(new String(row.getBytes(1), StandardCharsets.UTF_8));
            }
        }
        return batch.stream().filter(key -> !present.contains(key)).toList();
    }

    /** Creates rows for keys; returns how many were created. */
    public int insert(List<String> batch) throws SQLException {
        if (batch.isEmpty()) {
            return 0;
        }
        String insert = "INSERT IGNORE INTO hier_locks (lock_key) VALUES " + repeated("(?)", batch.size());
        try (PreparedStatement statement = prepare(insert, batch)) {
            return statement.executeUpdate();
        }
    }

    private PreparedStatement prepare(String sql, List<String> keys) throws SQLException {
        PreparedStatement statement = connection.prepareStatement(sql);
        for (int i = 0; i < keys.size(); i++) {
            statement.setBytes(i + 1, keys.get(i).getBytes(StandardCharsets.UTF_8));
        }
        return statement;
    }

    private static String repeated(String part, int times) {
        return String.join(", ", Collections.nCopies(times, part));
    }
}
