package dev.lockstep.inventory.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;

/** The question marks of a list in SQL: as many as the next power of two, so that few different statements are prepared. */
public final class Placeholders {
    private Placeholders() {}

    public static String upTo(int count) {
        return "?, ".repeat(size(count) - 1) + "?";
    }

    private static int size(int count) {
        return count <= 1 ? 1 : Integer.highestOneBit(count - 1) << 1;
    }

    /** Sets them from the given place on; the last value stands for those too many. */
    public static int fill(PreparedStatement statement, int from, List<String> values) throws SQLException {
        int size = size(values.size());
        for (int i = 0; i < size; i++) {
            statement.setString(from + i, values.get(Math.min(i, values.size() - 1)));
        }
        return from + size;
    }
}
