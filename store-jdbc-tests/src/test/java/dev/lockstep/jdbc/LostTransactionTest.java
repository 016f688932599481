package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.ReleaseOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The server rolls a transaction back and keeps the connection. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@ParameterizedClass
@EnumSource(names = {"MYSQL", "MARIADB"})
class LostTransactionTest {
    private static final Duration TERM = Duration.ofMinutes(10);
    private static final Duration LONG = Duration.ofMinutes(2);

    @Parameter
    Server server;

    private final AtomicBoolean lockTableIsFull = new AtomicBoolean();
    private LockDatabase database;
    private InterceptedDataSource dataSource;
    private Locks locks;
    private Locks others;

    @BeforeEach
    void create() throws SQLException {
        database = LockDatabase.on(server);
        dataSource = new InterceptedDataSource(database.dataSource(), this::rollBack);
        locks = Locks.builder(database.store(dataSource))
                .defaultTerm(TERM)
                .orderPolicy(OrderPolicy.OFF)
                .build();
        others = database.patientLocks();
    }

    /** What InnoDB does when its lock table is full. */
    private void rollBack(Connection connection, String sql) throws SQLException {
        if (sql.contains("FOR UPDATE") && lockTableIsFull.compareAndSet(true, false)) {
            connection.rollback();
            throw new SQLException("The total number of locks exceeds the lock table size", "HY000", 1206);
        }
    }

    @AfterEach
    void close() throws SQLException {
        others.close();
        locks.close();
        database.close();
    }

    private void assertLost(Lease outer) {
        assertThat(outer.isHeld()).isFalse();
        others.acquire(exclusive(user("u1")).within(LONG)).close();
        assertThat(outer.release()).isEqualTo(ReleaseOutcome.LOST);
        locks.acquire(exclusive(user("u1")).within(LONG)).close();
    }

    @Test
    void anErrorOfANestedRequestThatRollsEverythingBackEndsTheOuterLease() {
        try (Lease outer = locks.acquire(exclusive(user("u1")))) {
            lockTableIsFull.set(true);
            assertThatThrownBy(() -> locks.acquire(exclusive(account("u2", "a2"))))
                    .isInstanceOf(LockException.class)
                    .hasMessageContaining("lock table");
            assertThatThrownBy(() -> outer.renew(TERM)).isInstanceOf(LockException.class);
            assertLost(outer);
        }
    }

    @Test
    void renewalsKeepTheRowsOfOuterAndNestedLeases() {
        try (Lease outer = locks.acquire(exclusive(user("u1")));
                Lease nested = locks.acquire(exclusive(account("u2", "a2")))) {
            outer.renew(TERM);
            nested.renew(TERM);
            outer.renew(TERM);
            assertThat(others.tryAcquire(exclusive(user("u1")))).isInstanceOf(Busy.class);
            assertThat(others.tryAcquire(exclusive(account("u2", "a2")))).isInstanceOf(Busy.class);
        }
        others.acquire(exclusive(account("u2", "a2")).within(LONG)).close();
    }

    @Test
    void aRenewalNoticesThatTheTransactionIsGone() throws SQLException {
        try (Lease outer = locks.acquire(exclusive(user("u1")))) {
            outer.renew(TERM);
            assertThat(outer.isHeld()).isTrue();
            for (Connection connection : dataSource.opened()) {
                if (!connection.isClosed()) {
                    connection.rollback();
                }
            }
            assertThatThrownBy(() -> outer.renew(TERM)).isInstanceOf(LockException.class);
            assertLost(outer);
        }
    }
}
