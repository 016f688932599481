package dev.lockstep.spring.autoconfigure;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.spring.LockstepDataSource;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.UsesServer;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** What stops the start of an application with locks on a database, and the order of its end. */
@Tag("slow")
@Tag("once")
@UsesServer(ServerKind.MARIADB)
class DatabaseRefusalTest {
    @Test
    @DisplayName("missing tables, and then missing rows of a kind, say how to make them")
    void unprovisioned(TestDatabase fresh) {
        DatabaseApplication.on("mariadb", fresh).run(context -> {
            assertThat(Applications.refusal(context).description())
                    .contains("hier_lock_settings is missing")
                    .doesNotContain("provisionIfMissing", "Provisioning.of", "lockstep provision");
            assertThat(Applications.refusal(context).action()).contains("lockstep.provision-if-missing=true");
        });
        DatabaseApplication.provisioned("mariadb", fresh)
                .withPropertyValues("lockstep.kinds.user.rank=0")
                .run(context -> assertThat(context).hasNotFailed());
        DatabaseApplication.on("mariadb", fresh)
                .withPropertyValues("lockstep.kinds.user.rank=0")
                .run(context -> assertThat(context).hasNotFailed());
        DatabaseApplication.on("mariadb", fresh)
                .withPropertyValues("lockstep.kinds.order.rank=7")
                .run(context -> {
                    assertThat(Applications.refusal(context).description()).contains("order (rank 7");
                    assertThat(Applications.refusal(context).action()).contains("lockstep.provision-if-missing=true");
                });
    }

    @Test
    @DisplayName("another number of buckets than the database has is refused")
    void otherBuckets(TestDatabase fresh) {
        DatabaseApplication.provisioned("mariadb", fresh)
                .withPropertyValues("lockstep.kinds.user.rank=0")
                .run(context -> assertThat(context).hasNotFailed());
        DatabaseApplication.on("mariadb", fresh)
                .withPropertyValues("lockstep.kinds.user.rank=0", "lockstep.buckets=999")
                .run(context ->
                        assertThat(Applications.refusal(context).description()).contains("999", "1000"));
    }

    @Test
    @DisplayName("MariaDB under the name of MySQL or PostgreSQL is refused, with what the server is")
    void otherProduct(TestDatabase fresh) {
        DatabaseApplication.on("mysql", fresh)
                .run(context -> assertThat(Applications.refusal(context).description())
                        .contains("MariaDB", "lockstep.store=mariadb")
                        .doesNotContain("RowLockStore", "Doctor."));
        DatabaseApplication.on("postgresql", fresh)
                .run(context ->
                        assertThat(Applications.refusal(context).description()).contains("MariaDB"));
    }

    @Test
    @DisplayName("the remedy for a fallback names the setting of the fallback")
    void otherProductAsFallback(TestDatabase fresh) {
        DatabaseApplication.on("redis", fresh)
                .withPropertyValues("lockstep.redis.url=redis://127.0.0.1:1", "lockstep.fallback.store=mysql")
                .run(context -> assertThat(Applications.refusal(context).description())
                        .contains("MariaDB", "lockstep.fallback.store=mariadb")
                        .doesNotContain("lockstep.store="));
    }

    @Test
    @DisplayName("a server that can't be reached is reported without the password")
    void unreachable(TestDatabase fresh) {
        DatabaseApplication.on("mariadb", fresh)
                .withPropertyValues(
                        "spring.datasource.url=jdbc:mariadb://127.0.0.1:1/x",
                        "spring.datasource.password=geheim",
                        "spring.datasource.hikari.connection-timeout=300")
                .run(context -> {
                    assertThat(Applications.refusal(context).description()).contains("No connection to the database");
                    assertThat(Applications.refusal(context)).hasMessageNotContaining("geheim");
                });
    }

    @Test
    @DisplayName("the store gives its connections back before the DataSource is closed")
    void order(TestDatabase fresh) {
        AtomicInteger left = new AtomicInteger(-1);
        DatabaseApplication.provisioned("mariadb", fresh)
                .withPropertyValues("lockstep.kinds.user.rank=0")
                .withPropertyValues("locks.url=" + fresh.jdbcUrl(), "locks.user=" + fresh.user())
                .withBean("left", AtomicInteger.class, () -> left)
                .withUserConfiguration(WatchedPool.class)
                .run(context -> {
                    ApplicationContract.locks(context)
                            .acquire(exclusive(ApplicationContract.key(context, "user:u1")))
                            .close();
                    assertThat(context.getBean(HikariDataSource.class)
                                    .getHikariPoolMXBean()
                                    .getActiveConnections())
                            .isPositive();
                });
        assertThat(left).hasValue(0);
    }

    /** A pool that looks, when it is closed, how many connections are still in use. */
    @Configuration(proxyBeanMethods = false)
    static class WatchedPool {
        @Bean
        DataSource dataSource(Environment environment, AtomicInteger left) {
            HikariDataSource pool = new HikariDataSource() {
                @Override
                public void close() {
                    left.set(getHikariPoolMXBean().getActiveConnections());
                    super.close();
                }
            };
            return led(pool, environment);
        }
    }

    @Test
    @DisplayName("a DataSource that is marked for locks is the one that they use")
    void marked(TestDatabase fresh) {
        markedApplication(fresh).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(MarkedPool.class)
                            .pool
                            .getHikariPoolMXBean()
                            .getTotalConnections())
                    .isPositive();
        });
    }

    private static ApplicationContextRunner markedApplication(TestDatabase fresh) {
        return DatabaseApplication.provisioned("mariadb", fresh)
                .withPropertyValues(
                        "lockstep.kinds.user.rank=0",
                        "spring.datasource.url=jdbc:h2:mem:application",
                        "spring.datasource.username=sa",
                        "locks.url=" + fresh.jdbcUrl(),
                        "locks.user=" + fresh.user())
                .withUserConfiguration(MarkedPool.class);
    }

    @Configuration(proxyBeanMethods = false)
    static class MarkedPool {
        final HikariDataSource pool = new HikariDataSource();

        @Bean(defaultCandidate = false)
        @LockstepDataSource
        DataSource locksDataSource(Environment environment) {
            return led(pool, environment);
        }
    }

    private static DataSource led(HikariDataSource pool, Environment environment) {
        pool.setJdbcUrl(environment.getRequiredProperty("locks.url"));
        pool.setUsername(environment.getRequiredProperty("locks.user"));
        return pool;
    }
}
