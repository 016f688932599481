package dev.lockstep.inventory.books;

import dev.lockstep.inventory.StockKey;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Stock between two keys, in the order of the tables, as a condition in SQL. It is written so that every database finds the way
 * through its index.
 */
public record KeyRange(String condition, List<String> values) {
    static KeyRange only(StockKey key) {
        return new KeyRange("sku = ? AND location = ?", List.of(key.sku(), key.location()));
    }

    static KeyRange after(StockKey from) {
        return new KeyRange("sku >= ? AND (sku > ? OR location > ?)", List.of(from.sku(), from.sku(), from.location()));
    }

    /** Up to a key and with it, or to the end. */
    public static KeyRange between(StockKey from, Optional<StockKey> to) {
        KeyRange after = after(from);
        return to.map(last -> after.and(new KeyRange(
                        "sku <= ? AND (sku < ? OR location <= ?)", List.of(last.sku(), last.sku(), last.location()))))
                .orElse(after);
    }

    private KeyRange and(KeyRange other) {
        return new KeyRange(
                condition + " AND " + other.condition,
                Stream.concat(values.stream(), other.values.stream()).toList());
    }

    /** Sets the values from the given place on, and answers the next place. */
    int fill(PreparedStatement statement, int from) throws SQLException {
        int at = from;
        for (String value : values) {
            statement.setString(at++, value);
        }
        return at;
    }
}
