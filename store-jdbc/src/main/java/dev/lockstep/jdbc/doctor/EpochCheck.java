package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.epochs.EpochSql;
import dev.lockstep.jdbc.sql.Queries;
import dev.lockstep.jdbc.sql.SqlFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** Whether a server that keeps the register of a pair keeps committed changes when it crashes. */
public final class EpochCheck {
    private static final String INNODB = "SHOW GLOBAL VARIABLES WHERE Variable_name IN"
            + " ('innodb_flush_log_at_trx_commit', 'log_bin', 'sync_binlog')";
    private static final String POSTGRES = "SELECT name, setting FROM pg_settings WHERE name = 'fsync'";

    private EpochCheck() {}

    /** Finds nothing on a server without a register. */
    public static List<Finding> examine(Connection connection, ServerProduct product) throws SQLException {
        if (!hasTable(connection)) {
            return List.of();
        }
        return judge(new Facts(Queries.pairs(connection, product == ServerProduct.POSTGRESQL ? POSTGRES : INNODB)));
    }

    private static boolean hasTable(Connection connection) throws SQLException {
        try {
            Queries.execute(connection, "SELECT 1 FROM " + EpochSql.TABLE + " WHERE 1 = 0");
            return true;
        } catch (SQLException e) {
            SqlFault fault = SqlFault.of(e);
            if (fault == SqlFault.MISSING_TABLE || fault == SqlFault.DENIED) {
                return false;
            }
            throw e;
        }
    }

    static List<Finding> judge(Facts facts) {
        List<Finding> findings = new ArrayList<>();
        if (facts.isOff("fsync")) {
            findings.add(unsafe("fsync is off", "Set fsync = on."));
        }
        String flush = facts.text("innodb_flush_log_at_trx_commit");
        if (!flush.isEmpty() && !flush.equals("1")) {
            findings.add(unsafe(
                    "innodb_flush_log_at_trx_commit is " + flush, "SET GLOBAL innodb_flush_log_at_trx_commit = 1."));
        }
        if (facts.isOn("log_bin") && facts.number("sync_binlog") != 1) {
            findings.add(unsafe("sync_binlog is " + facts.text("sync_binlog"), "SET GLOBAL sync_binlog = 1."));
        }
        return findings.isEmpty()
                ? List.of(Finding.ok("The register of pairs (" + EpochSql.TABLE + ") lasts when the server crashes."))
                : findings;
    }

    private static Finding unsafe(String what, String wayOut) {
        return Finding.warning(
                what + ", and there is a register of pairs (" + EpochSql.TABLE
                        + "): a crash may take back a switch from one store to the other that was reported as done.",
                wayOut);
    }
}
