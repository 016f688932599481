package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.testkit.Tenancy.account;
import static dev.lockstep.testkit.Tenancy.user;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Granted;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.tables.Fnv1a;
import dev.lockstep.testservers.ServerKind;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row that is missing when a request needs it. */
class MissingRowTest extends ProvisioningStage {
    private static final LockKey PRESENT = user("u1");
    private static final LockKey ABSENT = account("u2", "a2");

    private Locks locks() {
        return LockDatabase.patient(store());
    }

    private LockStore store() {
        return server == ServerKind.MYSQL ? RowLockStore.mysql(dataSource) : RowLockStore.mariadb(dataSource);
    }

    private static void assertRefused(Locks locks, String... said) {
        assertThatThrownBy(() -> locks.acquire(exclusive(PRESENT, ABSENT)))
                .isInstanceOfSatisfying(LockException.class, error -> {
                    assertThat(error.code()).isEqualTo(ErrorCode.STORE_FAILED);
                    assertThat(error.retryable()).isFalse();
                    assertThat(error.keys()).containsExactly(ABSENT);
                })
                .hasMessageContainingAll(said)
                .hasMessageContaining("'" + ABSENT + "'")
                .hasMessageContainingAll("Nothing was locked", "the command 'lockstep provision'");
    }

    private static void assertNothingIsLocked(Locks locks) {
        assertThat(locks.tryAcquire(exclusive(PRESENT).within(Duration.ofMinutes(1))))
                .isInstanceOfSatisfying(
                        Granted.class, granted -> granted.lease().close());
    }

    @Test
    void aMissingBucketIsAnErrorThatNamesTheTableTheBucketAndTheCommand() throws SQLException {
        tenancy().run();
        int bucket = Fnv1a.bucket(ABSENT.canonicalBytes(), 250);
        assertThat(execute("DELETE FROM hier_lock_buckets WHERE level = 1 AND bucket = " + bucket))
                .isEqualTo(1);
        try (Locks locks = locks();
                Locks others = locks()) {
            assertRefused(locks, "hier_lock_buckets", "level = 1 AND bucket = " + bucket);
            assertNothingIsLocked(others);
            tenancy().run();
            locks.acquire(exclusive(PRESENT, ABSENT)).close();
        }
    }

    @Test
    void aMissingIdIsAnErrorThatNamesTheTableAndTheCommand() throws SQLException {
        List<LockKey> ids = List.of(PRESENT, ABSENT);
        Provisioning.of(dataSource).ids(ids).run();
        assertThat(execute("DELETE FROM hier_locks WHERE lock_key = '" + ABSENT + "'"))
                .isEqualTo(1);
        try (Locks locks = locks();
                Locks others = locks()) {
            assertRefused(locks, "hier_locks");
            assertNothingIsLocked(others);
            Provisioning.of(dataSource).ids(ids).run();
            locks.acquire(exclusive(PRESENT, ABSENT)).close();
        }
    }
}
