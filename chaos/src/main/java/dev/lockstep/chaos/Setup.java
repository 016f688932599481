package dev.lockstep.chaos;

import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.ServerKind;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The stores that a run can be on: their servers, how processes use them, and how they are made ready. */
enum Setup {
    MYSQL(ServerKind.MYSQL) {
        @Override
        LockStore store(List<String> urls) {
            return RowLockStore.mysql(database(urls, 0)).connections(CONNECTIONS);
        }

        @Override
        void prepare(List<String> urls) {
            provision(RowLockStore.mysql(database(urls, 0)));
        }
    },
    MARIADB(ServerKind.MARIADB) {
        @Override
        LockStore store(List<String> urls) {
            return RowLockStore.mariadb(database(urls, 0)).connections(CONNECTIONS);
        }

        @Override
        void prepare(List<String> urls) {
            provision(RowLockStore.mariadb(database(urls, 0)));
        }
    },
    POSTGRESQL(ServerKind.POSTGRES) {
        @Override
        LockStore store(List<String> urls) {
            return AdvisoryLockStore.postgresql(database(urls, 0)).connections(CONNECTIONS);
        }

        @Override
        void prepare(List<String> urls) {}
    },
    REDIS(ServerKind.REDIS) {
        @Override
        LockStore store(List<String> urls) {
            return redis(urls);
        }

        @Override
        void prepare(List<String> urls) {
            try (RedisLockStore store = redis(urls)) {
                store.createNamespace();
            }
        }
    };

    /** Between renewals. Short, so that much happens in a run; what a stalled machine costs is a lost lease, not a wrong verdict. */
    static final Duration TERM = Duration.ofSeconds(2);

    private static final Duration LONGEST_TERM = Duration.ofMillis(2_100);
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);
    private static final int CONNECTIONS = 8;
    private static final int BUCKETS = 256;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is
    private final List<ServerKind> servers;

    Setup(ServerKind... servers) {
        this.servers = List.of(servers);
    }

    /** As it is named on the command line. */
    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The servers it needs, the first one first. */
    List<ServerKind> servers() {
        return servers;
    }

    /** A process's own store, on servers at these addresses. */
    abstract LockStore store(List<String> urls);

    /** Makes the servers ready for the first process. */
    abstract void prepare(List<String> urls);

    /** What may be expected of its leases. */
    Promise promise() {
        return this == REDIS ? Promise.LEASES_OUTLIVE_CONNECTIONS : Promise.LEASES_END_WITH_CONNECTIONS;
    }

    private static RedisLockStore redis(List<String> urls) {
        return RedisLockStore.at(urls.get(0)).longestTerm(LONGEST_TERM).answerWithin(ANSWER_WITHIN);
    }

    DataSource database(List<String> urls, int index) {
        String user = servers.get(index) == ServerKind.POSTGRES ? "postgres" : "root";
        return new DriverManagerDataSource(urls.get(index), user, "");
    }

    private static void provision(RowLockStore store) {
        store.buckets(BUCKETS).provisionIfMissing(Estate.values()).close();
    }
}
