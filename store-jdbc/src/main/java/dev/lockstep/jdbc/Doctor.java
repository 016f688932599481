package dev.lockstep.jdbc;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.doctor.Check;
import dev.lockstep.jdbc.doctor.ClockCheck;
import dev.lockstep.jdbc.doctor.EpochCheck;
import dev.lockstep.jdbc.doctor.InnoDbChecks;
import dev.lockstep.jdbc.doctor.LockTableChecks;
import dev.lockstep.jdbc.doctor.PostgresChecks;
import dev.lockstep.jdbc.doctor.ServerProduct;
import dev.lockstep.jdbc.doctor.UnreachableDatabase;
import dev.lockstep.jdbc.doctor.UrlRule;
import dev.lockstep.jdbc.slots.RowTable;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.TimeBoundedCall;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/**
 * Finds out before the first lock whether a database is fit for a store, and says what to do where it isn't. It changes nothing, waits
 * for no lock and needs one connection for a moment.
 *
 * <pre>{@code
 * Diagnosis diagnosis = Doctor.mysql(dataSource).connections(16).examine();
 * if (!diagnosis.isHealthy()) throw new IllegalStateException(diagnosis.toString());
 * }</pre>
 */
public final class Doctor {
    private static final int DEFAULT_CONNECTIONS = 16;

    /** What no answer of a server that works takes. */
    private static final Duration RESPONSE_TIMEOUT = Duration.ofSeconds(10);

    private final DataSource dataSource;
    private final ServerProduct product;
    private final int connections;
    private final InstantSource clock;
    private final Duration responseTimeout;

    private Doctor(
            DataSource dataSource,
            ServerProduct product,
            int connections,
            InstantSource clock,
            Duration responseTimeout) {
        this.dataSource = Objects.requireNonNull(dataSource, "dataSource");
        this.product = product;
        this.connections = connections;
        this.clock = clock;
        this.responseTimeout = responseTimeout;
    }

    /** Examines what {@link RowLockStore#mysql} would use. */
    public static Doctor mysql(DataSource dataSource) {
        return on(dataSource, ServerProduct.MYSQL);
    }

    /** Examines what {@link RowLockStore#mariadb} would use. */
    public static Doctor mariadb(DataSource dataSource) {
        return on(dataSource, ServerProduct.MARIADB);
    }

    /** Examines what {@link AdvisoryLockStore#postgresql} would use. */
    public static Doctor postgresql(DataSource dataSource) {
        return on(dataSource, ServerProduct.POSTGRESQL);
    }

    private static Doctor on(DataSource dataSource, ServerProduct product) {
        return new Doctor(dataSource, product, DEFAULT_CONNECTIONS, InstantSource.system(), RESPONSE_TIMEOUT);
    }

    /** The same for a store with this many {@code connections()}; 16 by default. */
    public Doctor connections(int most) {
        return new Doctor(dataSource, product, SessionPool.checkMost(most), clock, responseTimeout);
    }

    Doctor responseTimeout(Duration limit) {
        return new Doctor(dataSource, product, connections, clock, limit);
    }

    Doctor clock(InstantSource local) {
        return new Doctor(dataSource, product, connections, local, responseTimeout);
    }

    /** Runs all checks. An unreachable database is a finding, not an exception. */
    public Diagnosis examine() {
        return examine(checks());
    }

    /** Checks only whether the locks of other processes are visible to snapshots of the store. Locks work without it. */
    public Diagnosis examineVisibility() {
        return examine(List.of(
                product == ServerProduct.POSTGRESQL ? PostgresChecks.visibility() : InnoDbChecks.visibility(product)));
    }

    /** A server that falls silent in the middle must not hold up the caller, which may be a health check or the start of an application. */
    private Diagnosis examine(List<Check> checks) {
        try (BorrowedConnection borrowed = TimeBoundedCall.call(
                responseTimeout, () -> BorrowedConnection.from(dataSource), BorrowedConnection::close)) {
            borrowed.networkTimeout(responseTimeout).connection().setAutoCommit(true);
            return new Diagnosis(examine(borrowed.connection(), checks));
        } catch (SQLException | RuntimeException e) {
            return new Diagnosis(List.of(UnreachableDatabase.finding(e)));
        }
    }

    private List<Finding> examine(Connection connection, List<Check> checks) throws SQLException {
        List<Finding> findings = new ArrayList<>(new Check("product", product::examine).run(connection));
        if (new Diagnosis(findings).isHealthy()) { // else the other questions make no sense
            for (Check check : checks) {
                findings.addAll(check.run(connection));
            }
        }
        return findings;
    }

    private List<String> idleVariables() {
        InnoDbDialect dialect = product == ServerProduct.MARIADB
                ? new MariaDbDialect(RowTable.BUCKETS)
                : new MySqlDialect(RowTable.BUCKETS);
        return dialect.idleVariables();
    }

    private List<Check> checks() {
        List<Check> checks = new ArrayList<>();
        checks.add(new Check("JDBC URL", UrlRule::examine));
        if (product == ServerProduct.POSTGRESQL) {
            checks.addAll(new PostgresChecks(connections).all());
        } else {
            checks.addAll(new InnoDbChecks(product, connections, idleVariables()).all());
            checks.addAll(new LockTableChecks(product).all());
        }
        checks.add(new Check("register of pairs", connection -> EpochCheck.examine(connection, product)));
        checks.add(new Check("clock", connection -> ClockCheck.examine(connection, product, clock)));
        return checks;
    }
}
