package dev.lockstep.jdbc.epochs;

import dev.lockstep.core.spi.Epoch;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/**
 * What the table of epochs shows of one pair.
 *
 * @param standby whether the server takes no writes, so that the row may be an old one
 * @param epoch empty if there is no row
 */
public record EpochRow(boolean standby, Optional<Epoch> epoch) {
    static EpochRow of(ResultSet row) throws SQLException {
        String side = row.getString(3);
        if (side == null) {
            return new EpochRow(row.getBoolean(1), Optional.empty());
        }
        Epoch epoch = new Epoch(row.getLong(2), side(side), row.getBoolean(4), row.getLong(5), text(row.getBytes(6)));
        return new EpochRow(row.getBoolean(1), Optional.of(epoch));
    }

    private static Epoch.Side side(String name) throws SQLException {
        return switch (name) {
            case "PRIMARY" -> Epoch.Side.PRIMARY;
            case "SECONDARY" -> Epoch.Side.SECONDARY;
            default ->
                throw new SQLException("The table " + EpochSql.TABLE
                        + " was changed by another program: it has the side '" + name + "'");
        };
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
