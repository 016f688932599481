package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** Sets of more rows than one statement locks. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@ParameterizedClass
@EnumSource
class LargeSetTest {
    private static final List<LockKey> USERS =
            IntStream.range(0, 700).mapToObj(i -> user("u" + i)).toList();

    @Parameter
    Server server;

    private final AtomicInteger mostParts = new AtomicInteger();
    private final AtomicInteger looks = new AtomicInteger();
    private LockDatabase database;
    private Locks locks;
    private Locks others;
    private Locks bystanders;
    private volatile LockKey watched = USERS.get(0);
    private volatile boolean looksForHolders;
    private volatile boolean free = true;

    @BeforeEach
    void create() throws SQLException {
        database = LockDatabase.on(server);
        locks = LockDatabase.patient(
                database.store(new InterceptedDataSource(database.dataSource(), (connection, sql) -> inspect(sql))));
        others = database.patientLocks();
        bystanders = database.patientLocks();
    }

    private void inspect(String sql) {
        mostParts.accumulateAndGet(sql.split(" UNION ALL | WHEN ", -1).length, Math::max);
        if (looksForHolders && (sql.contains("performance_schema") || sql.contains("pg_locks"))) {
            looks.incrementAndGet();
            if (bystanders.tryAcquire(exclusive(watched)) instanceof Granted granted) {
                granted.close();
            } else {
                free = false;
            }
        }
    }

    @AfterEach
    void close() throws SQLException {
        bystanders.close();
        others.close();
        locks.close();
        database.close();
    }

    @Test
    void aLargeSetIsLockedByStatementsOfBoundedSize() {
        Lease all = locks.acquire(exclusive(USERS));
        for (int i : List.of(0, 99, 100, 499, 500, 699)) {
            assertThat(others.tryAcquire(exclusive(USERS.get(i)))).isInstanceOf(Busy.class);
        }
        all.close();
        others.acquire(exclusive(USERS)).close();
        assertThat(mostParts).hasValueLessThanOrEqualTo(server == Server.POSTGRES ? 501 : 100);
    }

    @Test
    void aLargeSetOfWhichOneIsTakenLocksNothing() {
        Lease taken = others.acquire(exclusive(USERS.get(600)));
        assertThat(locks.tryAcquire(exclusive(USERS))).isInstanceOf(Busy.class);
        taken.close();
        others.acquire(exclusive(USERS)).close();
    }

    @Test
    void aRequestHoldsNothingWhileItLooksUpTheHolder() {
        bystanders.acquire(exclusive(watched)).close(); // the kinds are declared by now
        locks.acquire(exclusive(watched)).close();
        try (Lease taken = others.acquire(exclusive(user("v")))) {
            looksForHolders = true;
            assertThat(locks.tryAcquire(exclusive(watched, user("v")))).isInstanceOf(Busy.class);
            assertThat(looks).hasPositiveValue();
            assertThat(free).isTrue();
            assertThat(taken.isHeld()).isTrue();
        }
    }
}
