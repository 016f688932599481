package dev.lockstep.jdbc.tables;

import java.util.Optional;
import java.util.stream.Stream;

/** What one row of the lock tables stands for. */
public enum Layout {
    /** All keys whose hashes fall into one bucket of a level: a fixed number of rows for any number of keys. */
    BUCKETS("buckets", TableSchema.BUCKETS),
    /** One key: no false contention, but every key needs a row before it can be locked. */
    IDS("ids", TableSchema.IDS);

    private final String text;
    private final TableSchema rows;

    Layout(String text, TableSchema rows) {
        this.text = text;
        this.rows = rows;
    }

    /** The name in {@code hier_lock_settings}. */
    String text() {
        return text;
    }

    /** The table whose rows are locked. */
    public TableSchema rows() {
        return rows;
    }

    static Optional<Layout> of(String text) {
        return Stream.of(values()).filter(layout -> layout.text.equals(text)).findFirst();
    }
}
