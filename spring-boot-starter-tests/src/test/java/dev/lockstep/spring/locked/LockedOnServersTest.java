package dev.lockstep.spring.locked;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.spring.Locked;
import dev.lockstep.spring.autoconfigure.LockedAutoConfiguration;
import dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** Locked methods of a Spring Boot application on real servers, with the application's data in a real database. */
@Tag("slow")
@Tag("once")
class LockedOnServersTest {
    private static final LockKey ACCOUNT = Tenancy.account("u/1", "a:1");
    private static final int THREADS = 4;

    private final int calls = Scale.pick(12, 2_000);

    /** What the locks are on. */
    enum Store {
        MYSQL(ServerKind.MYSQL),
        POSTGRESQL(ServerKind.POSTGRES),
        REDIS(ServerKind.POSTGRES),
        ETCD(ServerKind.POSTGRES);

        private final ServerKind data;

        Store(ServerKind data) {
            this.data = data;
        }

        String[] settings() {
            return switch (this) {
                case MYSQL -> new String[] {"lockstep.provision-if-missing=true", "lockstep.buckets=101"};
                case POSTGRESQL -> new String[0];
                case REDIS -> redisSettings(TestServers.redis().url(), "locked-" + UUID.randomUUID());
                case ETCD ->
                    new String[] {
                        "lockstep.etcd.url=" + TestServers.etcdUrl(),
                        "lockstep.etcd.longest-term=2m",
                        "lockstep.etcd.answer-within=1m",
                        "lockstep.namespace=locked-" + UUID.randomUUID()
                    };
            };
        }

        private static String[] redisSettings(String url, String namespace) {
            RedisLockStore.at(url)
                    .namespace(namespace)
                    .longestTerm(Duration.ofMinutes(2))
                    .answerWithin(Duration.ofMinutes(1))
                    .createNamespace()
                    .close();
            return new String[] {
                "lockstep.redis.url=" + url,
                "lockstep.redis.longest-term=2m",
                "lockstep.redis.answer-within=1m",
                "lockstep.namespace=" + namespace
            };
        }
    }

    /** A balance that is read and then written, so that two at a time would lose a change. */
    static class Ledger {
        private final JdbcTemplate jdbc;
        private final Locks locks;
        private final AtomicLong written = new AtomicLong();

        Ledger(JdbcTemplate jdbc, Locks locks) {
            this.jdbc = jdbc;
            this.locks = locks;
        }

        @Locked(value = "user:#{#u}/account:#{#a}", within = "5m")
        @Transactional
        public void add(String u, String a, Runnable last) {
            change();
            last.run();
        }

        @Transactional
        public void lockInsideTheTransaction(Runnable last) {
            locks.run(exclusive(ACCOUNT), lease -> change());
            last.run();
        }

        private void change() {
            jdbc.update("UPDATE account SET balance = ?", balance() + 1);
            written.incrementAndGet();
        }

        long balance() {
            return Objects.requireNonNull(jdbc.queryForObject("SELECT balance FROM account", Long.class));
        }

        long written() {
            return written.get();
        }

        @Locked(value = "user:#{#u}/account:#{#a}", within = "5m")
        public void check(String u, String a, ExclusionChecker checker) {
            LockKey key = Tenancy.account(u, a);
            try (Lease lease = locks.acquire(exclusive(key))) { // covered: the method's own
                checker.exclusive(key, lease);
            }
        }
    }

    private interface Test {
        void run(ApplicationContext application) throws Exception;
    }

    private static void on(Store store, Test test) throws Exception {
        try (TestDatabase database = TestServers.shared(store.data).freshDatabase()) {
            new ApplicationContextRunner()
                    .withConfiguration(AutoConfigurations.of(
                            DataSourceAutoConfiguration.class,
                            DataSourceTransactionManagerAutoConfiguration.class,
                            JdbcTemplateAutoConfiguration.class,
                            TransactionAutoConfiguration.class,
                            AopAutoConfiguration.class,
                            LockstepAutoConfiguration.class,
                            LockedAutoConfiguration.class))
                    .withBean(Ledger.class)
                    .withPropertyValues(
                            "spring.datasource.url=" + database.jdbcUrl(),
                            "spring.datasource.username=" + database.user(),
                            "spring.datasource.password=" + database.password(),
                            "spring.datasource.hikari.maximum-pool-size=24",
                            "spring.datasource.hikari.connection-timeout=120000",
                            "lockstep.wait=1m",
                            "lockstep.term=2m",
                            "lockstep.store=" + store,
                            "lockstep.kinds-from=" + Tenancy.class.getName())
                    .withPropertyValues(store.settings())
                    .run(application -> {
                        JdbcTemplate jdbc = application.getBean(JdbcTemplate.class);
                        jdbc.execute("CREATE TABLE account (balance BIGINT)");
                        jdbc.update("INSERT INTO account VALUES (0)");
                        test.run(application);
                    });
        }
    }

    private void together(Runnable... works) throws Exception {
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            List<Future<?>> all = new ArrayList<>();
            for (Runnable work : works) {
                for (int i = 0; i < THREADS; i++) {
                    all.add(threads.submit(() -> {
                        for (int call = 0; call < calls; call++) {
                            work.run();
                        }
                        return null;
                    }));
                }
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @ParameterizedTest
    @EnumSource
    void lockedMethodsExcludeEachOtherAndTheNextOneSeesWhatWasCommitted(Store store, @TempDir Path directory)
            throws Exception {
        on(store, application -> {
            theLockIsNotGrantedBeforeTheCommitUnlessItEndsInsideTheTransaction(application);
            theNextHolderSeesWhatWasCommittedUnderIt(application);
            lockedMethodsExcludeEachOther(application, directory);
        });
    }

    private void lockedMethodsExcludeEachOther(ApplicationContext application, Path directory) throws Exception {
        Ledger ledger = application.getBean(Ledger.class);
        try (ExclusionChecker checker = ExclusionChecker.in(directory)) {
            together(() -> ledger.check("u1", "a1", checker), () -> ledger.check("u1", "a2", checker));
            assertThat(checker.verify().sections()).isEqualTo(2L * THREADS * calls);
        }
    }

    private void theNextHolderSeesWhatWasCommittedUnderIt(ApplicationContext application) throws Exception {
        Ledger ledger = application.getBean(Ledger.class);
        long before = ledger.balance();
        together(() -> ledger.add("u/1", "a:1", () -> {}), () -> readUnderTheLock(application));
        assertThat(ledger.balance()).isEqualTo(before + (long) THREADS * calls);
    }

    /** Takes the lock, and reads on a connection of its own. */
    private static void readUnderTheLock(ApplicationContext application) {
        Ledger ledger = application.getBean(Ledger.class);
        JdbcTemplate other = new JdbcTemplate(application.getBean(DataSource.class));
        application.getBean(Locks.class).run(exclusive(ACCOUNT).within(Duration.ofMinutes(5)), lease -> {
            Long balance = other.queryForObject("SELECT balance FROM account", Long.class);
            assertThat(balance).isEqualTo(ledger.written());
        });
    }

    private static void theLockIsNotGrantedBeforeTheCommitUnlessItEndsInsideTheTransaction(
            ApplicationContext application) {
        List<String> seen = new ArrayList<>();
        Ledger ledger = application.getBean(Ledger.class);
        ledger.add("u/1", "a:1", () -> lookBeforeTheCommit(application, seen));
        ledger.lockInsideTheTransaction(() -> lookBeforeTheCommit(application, seen));
        assertThat(ledger.balance()).isEqualTo(2);
        assertThat(seen).containsExactly("Busy", "sees 1 while held is true"); // the second is the mistake
    }

    /** Right before the commit, another party asks for the lock and, if it gets it, reads on a connection of its own. */
    private static void lookBeforeTheCommit(ApplicationContext application, List<String> seen) {
        TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
            @Override
            public void beforeCommit(boolean readOnly) {
                seen.add(CompletableFuture.supplyAsync(() -> tryToRead(application))
                        .join());
            }
        });
    }

    private static String tryToRead(ApplicationContext application) {
        if (application.getBean(Locks.class).tryAcquire(exclusive(ACCOUNT)) instanceof Granted granted) {
            try (Lease lease = granted.lease()) {
                return "sees " + application.getBean(Ledger.class).balance() + " while held is " + lease.isHeld();
            }
        }
        return Busy.class.getSimpleName();
    }
}
