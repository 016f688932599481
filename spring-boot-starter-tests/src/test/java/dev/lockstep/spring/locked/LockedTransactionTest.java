package dev.lockstep.spring.locked;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.Tenancy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.TransactionTimedOutException;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Locks end after the transactions whose work they protect, and a transaction without its locks doesn't commit. */
@Tag("once")
class LockedTransactionTest {
    private static final LockKey U1 = Tenancy.user("u1");

    private final AnnotationConfigApplicationContext context =
            new AnnotationConfigApplicationContext(MemoryLocks.class, Database.class, Ledger.class);
    private final Ledger ledger = context.getBean(Ledger.class);
    private final Locks locks = context.getBean(Locks.class);
    private final JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
    private final List<String> seen = new ArrayList<>();

    @Configuration(proxyBeanMethods = false)
    @EnableTransactionManagement
    @Import(LockedConfiguration.class)
    static class Database {
        @Bean
        DataSource dataSource() {
            return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
        }

        @Bean
        JdbcTransactionManager transactions(DataSource dataSource) {
            return new JdbcTransactionManager(dataSource);
        }

        @Bean
        JdbcTemplate jdbc(DataSource dataSource) {
            JdbcTemplate jdbc = new JdbcTemplate(dataSource);
            jdbc.execute("CREATE TABLE entry (id VARCHAR(40))");
            return jdbc;
        }
    }

    static class Ledger {
        private final JdbcTemplate jdbc;

        Ledger(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @Locked("user:#{#u}")
        @Transactional
        public void add(String u, Runnable work) {
            jdbc.update("INSERT INTO entry VALUES (?)", u);
            work.run();
        }

        @Locked("user:#{#u}")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void addInNew(String u, Runnable work) {
            add(u, work);
        }

        @Locked("user:#{#u}")
        public void locked(String u, Runnable work) {
            work.run();
        }

        @Locked("user:#{#u}")
        public CompletableFuture<String> future(String u, CompletableFuture<String> work) {
            return work;
        }
    }

    @AfterEach
    void end() {
        assertThat(locks.snapshot().holders()).isEmpty();
        jdbc.execute("SHUTDOWN");
        context.close();
    }

    private TransactionTemplate transaction(int propagation) {
        TransactionTemplate template = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
        template.setPropagationBehavior(propagation);
        return template;
    }

    private void inTransaction(Runnable work) {
        transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> work.run());
    }

    private boolean isFree() {
        return Elsewhere.isFree(locks, exclusive(U1));
    }

    private int entries() {
        return CompletableFuture.supplyAsync(() -> jdbc.queryForObject("SELECT count(*) FROM entry", Integer.class))
                .join();
    }

    private void look(String when) {
        seen.add(when + (isFree() ? " free" : " held"));
    }

    private void lookAtTheEnd() {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                look("committed:");
            }

            @Override
            public void afterCompletion(int status) {
                look("completed " + status + ":");
            }
        });
    }

    /** Loses the leases of this thread as a renewal does that the store refuses. */
    private void loseLocks() {
        context.getBean(FaultyStore.class).forgetAll();
        try (Lease covered = locks.acquire(exclusive(U1))) {
            assertThatThrownBy(covered::renew).isInstanceOf(LeaseLostException.class);
        }
    }

    // ---- a transaction inside the lock

    @Test
    void theLockIsTakenBeforeTheTransactionBeginsAndReleasedAfterItsCommit() {
        context.getBean(JdbcTransactionManager.class).addListener(new TransactionExecutionListener() {
            @Override
            public void beforeBegin(TransactionExecution transaction) {
                look("beginning:");
            }
        });
        ledger.add("u1", this::lookAtTheEnd);
        assertThat(seen).containsExactly("beginning: held", "committed: held", "completed 0: held");
        assertThat(isFree()).isTrue();
        assertThat(entries()).isEqualTo(1);
    }

    @Test
    void aTransactionWhoseLockWasLostIsRolledBack() {
        assertThatThrownBy(() -> ledger.add("u1", this::loseLocks)).isInstanceOf(LeaseLostException.class);
        assertThat(entries()).isZero();
    }

    @Test
    void soIsOneThatTheMethodBeginsItself() {
        assertThatThrownBy(() -> ledger.locked(
                        "u1",
                        () -> inTransaction(() -> {
                            jdbc.update("INSERT INTO entry VALUES ('x')");
                            loseLocks();
                        })))
                .isInstanceOf(LeaseLostException.class);
        assertThat(entries()).isZero();
    }

    // ---- a lock inside a transaction

    @Test
    void aLockTakenInsideATransactionIsHeldUntilTheTransactionHasCommitted() {
        inTransaction(() -> {
            lookAtTheEnd();
            ledger.add("u1", () -> {});
            look("returned:");
        });
        assertThat(seen).containsExactly("returned: held", "committed: held", "completed 0: held");
        assertThat(isFree()).isTrue();
    }

    @Test
    void whatIsRegisteredAfterTheLockIsDoneUnderItToo() {
        inTransaction(() -> {
            ledger.add("u1", () -> {});
            lookAtTheEnd();
        });
        assertThat(seen).containsExactly("committed: held", "completed 0: held");
        assertThat(isFree()).isTrue();
    }

    @Test
    void orUntilItWasRolledBackAlsoAfterAnException() {
        transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
            lookAtTheEnd();
            assertThatThrownBy(() -> ledger.locked("u1", () -> {
                        throw new IllegalStateException("no");
                    }))
                    .isInstanceOf(IllegalStateException.class);
            look("thrown:");
            status.setRollbackOnly();
        });
        assertThat(seen).containsExactly("thrown: held", "completed 1: held");
        assertThat(isFree()).isTrue();
    }

    @Test
    void aTransactionThatTimedOutGivesItBack() {
        TransactionTemplate brief = transaction(TransactionDefinition.PROPAGATION_REQUIRED);
        brief.setTimeout(1);
        assertThatThrownBy(() -> brief.executeWithoutResult(status -> ledger.locked(
                        "u1",
                        () -> await().pollInSameThread().until(() -> {
                            jdbc.queryForList("SELECT * FROM entry");
                            return false;
                        }))))
                .isInstanceOf(TransactionTimedOutException.class);
        assertThat(isFree()).isTrue();
    }

    @Test
    void anOuterTransactionWhoseLockWasLostIsRolledBack() {
        assertThatThrownBy(() -> inTransaction(() -> {
                    ledger.add("u1", () -> {});
                    loseLocks();
                }))
                .isInstanceOf(LeaseLostException.class);
        assertThat(entries()).isZero();
    }

    @Test
    void aLossByTheEndOfTheMethodIsThrownThere() {
        transaction(TransactionDefinition.PROPAGATION_REQUIRED).executeWithoutResult(status -> {
            assertThatThrownBy(() -> ledger.locked("u1", this::loseLocks)).isInstanceOf(LeaseLostException.class);
            status.setRollbackOnly();
        });
    }

    // ---- several transactions

    @Test
    void aLockOfANewTransactionEndsWithThatOne() {
        inTransaction(() -> {
            transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult(status -> {
                ledger.locked("u1", () -> {});
                look("inner:");
            });
            look("outer:");
        });
        assertThat(seen).containsExactly("inner: held", "outer: free");
    }

    @Test
    void aLockOfASuspendedTransactionIsHeldUntilThatOneEnds() {
        inTransaction(() -> {
            ledger.locked("u1", () -> {});
            transaction(TransactionDefinition.PROPAGATION_REQUIRES_NEW).executeWithoutResult(status -> {});
            look("resumed:");
        });
        assertThat(seen).containsExactly("resumed: held");
        assertThat(isFree()).isTrue();
    }

    @Test
    void aMethodWithANewTransactionHoldsUntilTheOuterOneEndsToo() {
        inTransaction(() -> {
            ledger.addInNew("u1", () -> {});
            look("outer:");
            assertThat(entries()).isEqualTo(1);
        });
        assertThat(seen).containsExactly("outer: held");
        assertThat(isFree()).isTrue();
    }

    @Test
    void aNewTransactionInsideALockedMethodDependsOnItsLockToo() {
        assertThatThrownBy(() -> inTransaction(() -> ledger.addInNew("u1", this::loseLocks)))
                .isInstanceOf(LeaseLostException.class);
        assertThat(entries()).isZero();
    }

    @Test
    void aRollbackToASavepointKeepsTheLock() {
        inTransaction(() -> {
            transaction(TransactionDefinition.PROPAGATION_NESTED).executeWithoutResult(status -> {
                ledger.add("u1", () -> {});
                status.setRollbackOnly();
            });
            look("rolled back to the savepoint:");
        });
        assertThat(seen).containsExactly("rolled back to the savepoint: held");
        assertThat(isFree()).isTrue();
        assertThat(entries()).isZero();
    }

    // ---- callbacks and futures

    @Test
    void callbacksAfterTheCommitMayCallLockedMethods() {
        inTransaction(() -> TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void afterCommit() {
                ledger.locked("u1", () -> look("after the commit:"));
            }

            @Override
            public void afterCompletion(int status) {
                ledger.locked("u1", () -> look("after all:"));
            }
        }));
        assertThat(seen).containsExactly("after the commit: held", "after all: held");
        assertThat(isFree()).isTrue();
    }

    @Test
    void aFutureInsideATransactionHoldsUntilBothHaveEnded() {
        CompletableFuture<String> late = new CompletableFuture<>();
        inTransaction(() -> {
            CompletableFuture<String> early = ledger.future("u1", CompletableFuture.completedFuture("done"));
            assertThat(early).isCompletedWithValue("done");
            look("the future is done:");
        });
        assertThat(isFree()).isTrue();
        inTransaction(() -> assertThat(ledger.future("u1", late)).isNotDone());
        look("the transaction is done:");
        late.complete("");
        assertThat(seen).containsExactly("the future is done: held", "the transaction is done: held");
        assertThat(isFree()).isTrue();
    }

    @Test
    void aFutureThatWouldWaitForItsOwnTransactionIsRefused() {
        inTransaction(() -> {
            ledger.locked("u1", () -> {});
            assertThatThrownBy(() -> ledger.future("u1", new CompletableFuture<>()))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining(" Ledger.locked', which holds 'user:u1'");
        });
        assertThat(isFree()).isTrue();
    }

    // ---- the counter-proof

    @Test
    void aLockThatEndsInsideTheTransactionIsFreeAtTheCommit() {
        inTransaction(() -> locks.run(exclusive(U1), lease -> lookAtTheEnd()));
        assertThat(seen).containsExactly("committed: free", "completed 0: free");
    }
}
