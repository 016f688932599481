package dev.lockstep.adapters;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A server with locks of its own, which several stores reach as several processes would. */
enum Place {
    REDIS {
        @Override
        Opening open() {
            String namespace = "adapters-" + UUID.randomUUID();
            RedisLockStore at = RedisLockStore.at(TestServers.redis().url())
                    .namespace(namespace)
                    .answerWithin(Duration.ofSeconds(60)); // a machine may stand still
            try (RedisLockStore first = at.namespace(namespace)) {
                first.createNamespace();
            }
            return () -> at.namespace(namespace);
        }
    },
    POSTGRES {
        @Override
        Opening open() {
            DataSource source = new DriverManagerDataSource(
                    TestServers.postgres().jdbcUrl(),
                    TestServers.postgres().user(),
                    TestServers.postgres().password());
            String namespace = UUID.randomUUID().toString();
            return () -> AdvisoryLockStore.postgresql(source).namespace(namespace);
        }
    },
    MYSQL {
        @Override
        Opening open() throws SQLException {
            TestDatabase database = TestServers.mysql().freshDatabase();
            DataSource source = new DriverManagerDataSource(database.jdbcUrl(), database.user(), database.password());
            return () -> RowLockStore.mysql(source).buckets(1_009).provisionIfMissing(Job.KIND, Job.STEP);
        }
    };

    /** Opens one more store on the same locks. */
    @FunctionalInterface
    interface Opening {
        LockStore store();
    }

    abstract Opening open() throws SQLException;
}
