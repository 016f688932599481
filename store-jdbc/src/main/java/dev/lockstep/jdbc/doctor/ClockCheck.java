package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.spi.ClockOffset;
import dev.lockstep.jdbc.sql.Queries;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** Compares the server's clock with the local one. */
public final class ClockCheck {
    private static final Duration ALLOWED = Duration.ofSeconds(1);
    private static final String INNODB = "SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', UTC_TIMESTAMP(6))";
    private static final String POSTGRES = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

    private ClockCheck() {}

    public static List<Finding> examine(Connection connection, ServerProduct product, InstantSource local)
            throws SQLException {
        Instant before = local.instant();
        long micros = Queries.number(connection, product == ServerProduct.POSTGRESQL ? POSTGRES : INNODB);
        Instant after = local.instant();
        return List.of(judge(before, Instant.EPOCH.plus(micros, ChronoUnit.MICROS), after));
    }

    /** The server read its clock some time between the other two. */
    static Finding judge(Instant before, Instant server, Instant after) {
        ClockOffset offset = ClockOffset.between(before, server, after);
        if (offset.atLeast().compareTo(ALLOWED) <= 0) {
            return Finding.ok("The server's clock agrees with this machine's.");
        }
        return Finding.warning(
                offset.toString(),
                "Set both by NTP. Fencing tokens are times of the server's clock: when it is set back, new tokens may be lower"
                        + " than old ones until the time is reached again.");
    }
}
