package dev.lockstep.jdbc;

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
record EpochRow(boolean standby, Optional<Epoch> epoch) {
    static EpochRow of(ResultSet row) throws SQLException {
        String side = row.getString(3);
        if (side == null) {
            return new EpochRow(row.getBoolean(1), Optional.empty());
        }
        Epoch epoch = new Epoch(
                row.getLong(2), Epoch.Side.valueOf(side), row.getBoolean(4), row.getLong(5), text(row.getBytes(6)));
        return new EpochRow(row.getBoolean(1), Optional.of(epoch));
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
