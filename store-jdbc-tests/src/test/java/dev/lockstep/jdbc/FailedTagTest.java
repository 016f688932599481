package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** On PostgreSQL any error ends the transaction, also one of the statement that shows the holder. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class FailedTagTest {
    private final AtomicBoolean failed = new AtomicBoolean();

    private void failOnce(Connection connection, String sql) throws SQLException {
        if (sql.contains("SELECT 0, ") && failed.compareAndSet(false, true)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("SELECT 1 / 0");
            }
        }
    }

    @Test
    void aLeaseWhoseLabelFailsIsReportedAsLost() throws Exception {
        try (LockDatabase database = LockDatabase.on(Server.POSTGRES);
                Locks locks = LockDatabase.patient(
                        database.store(new InterceptedDataSource(database.dataSource(), this::failOnce)))) {
            Lease lease = locks.acquire(exclusive(Tenancy.user("u1")));
            await().atMost(Duration.ofMinutes(2)).until(failed::get);
            assertThat(lease.release()).isEqualTo(ReleaseOutcome.LOST);
            locks.acquire(exclusive(Tenancy.user("u1"))).close();
        }
    }
}
