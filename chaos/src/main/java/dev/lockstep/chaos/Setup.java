package dev.lockstep.chaos;

import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.fallback.WithoutSecondary;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.jdbc.AdvisoryLockStore;
import dev.lockstep.jdbc.EpochTable;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.ServerKind;
import io.lettuce.core.cluster.SlotHash;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
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
            try (RedisLockStore store = redis(urls).answerWithin(LONGEST_START)) {
                store.createNamespace();
            }
        }
    },
    REDIS_CLUSTER(ServerKind.REDIS) {
        @Override
        LockStore store(List<String> urls) {
            return cluster(urls);
        }

        @Override
        void prepare(List<String> urls) {
            try (RedisLockStore store = cluster(urls).answerWithin(LONGEST_START)) {
                store.createNamespace();
            }
        }
    },
    FALLBACK_MYSQL_STOP(ServerKind.REDIS, ServerKind.MYSQL) {
        @Override
        LockStore store(List<String> urls) {
            return pair(urls, MYSQL).withoutSecondary(WithoutSecondary.STOP);
        }
    },
    FALLBACK_MYSQL_KEEP_FENCED(ServerKind.REDIS, ServerKind.MYSQL) {
        @Override
        LockStore store(List<String> urls) {
            return pair(urls, MYSQL).withoutSecondary(WithoutSecondary.KEEP_FENCED);
        }
    },
    FALLBACK_POSTGRESQL_STOP(ServerKind.REDIS, ServerKind.POSTGRES) {
        @Override
        LockStore store(List<String> urls) {
            return pair(urls, POSTGRESQL).withoutSecondary(WithoutSecondary.STOP);
        }
    },
    FALLBACK_POSTGRESQL_KEEP_FENCED(ServerKind.REDIS, ServerKind.POSTGRES) {
        @Override
        LockStore store(List<String> urls) {
            return pair(urls, POSTGRESQL).withoutSecondary(WithoutSecondary.KEEP_FENCED);
        }
    };

    /** Between renewals. Short, so that much happens in a run; what a stalled machine costs is a lost lease, not a wrong verdict. */
    static final Duration TERM = Duration.ofSeconds(2);

    /** How long it takes a pair to switch and to grant again, and somewhat longer. */
    static final Duration SWITCH = Duration.ofSeconds(6);

    /** After how much silence a replica takes over from its master: longer than a pause that is to be none of its business. */
    static final Duration NODE_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration LONGEST_TERM = Duration.ofMillis(2_100);
    private static final Duration ANSWER_WITHIN = Duration.ofMillis(500);
    private static final String PAIR = "chaos";
    private static final Duration EPOCH_TERM = Duration.ofSeconds(2);
    private static final Duration UNAVAILABLE_AFTER = Duration.ofMillis(500);
    private static final Duration RETURN_AFTER = Duration.ofSeconds(2);
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final int CONNECTIONS = 8;
    private static final int PARTITIONS = 8;
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

    static Optional<Setup> titled(String title) {
        return Stream.of(values()).filter(setup -> setup.title().equals(title)).findFirst();
    }

    boolean isPair() {
        return servers.size() > 1;
    }

    boolean isCluster() {
        return this == REDIS_CLUSTER;
    }

    boolean isOnRedis() {
        return servers.contains(ServerKind.REDIS);
    }

    /** Whether processes reach the servers only by their own lines. The nodes of a cluster announce their own addresses. */
    boolean hasLines() {
        return !isCluster();
    }

    /** The slots in which a cluster has the locks. */
    List<Integer> slots() {
        return IntStream.range(0, PARTITIONS)
                .mapToObj(partition -> SlotHash.getSlot("lockstep:{default:" + partition + "}"))
                .toList();
    }

    /** The servers it needs, the first one first; one stands for all nodes of a cluster. */
    List<ServerKind> servers() {
        return servers;
    }

    /** A process's own store, on servers at these addresses. */
    abstract LockStore store(List<String> urls);

    /** Makes the servers ready for the first process. */
    void prepare(List<String> urls) {
        REDIS.prepare(urls.subList(0, 1));
        Setup secondary = servers.contains(ServerKind.MYSQL) ? MYSQL : POSTGRESQL;
        secondary.prepare(urls.subList(1, 2));
        EpochTable.on(database(urls, 1)).provision(PAIR);
    }

    /** The number of a pair's first epoch; empty for one store. */
    OptionalLong firstEpoch(List<String> urls) {
        if (!isPair()) {
            return OptionalLong.empty();
        }
        JdbcTemplate secondary = new JdbcTemplate(database(urls, 1));
        Long number = secondary.queryForObject("SELECT number FROM lockstep_epochs", Long.class);
        return number == null ? OptionalLong.empty() : OptionalLong.of(number);
    }

    /** What may be expected of its leases. */
    Promise promise() {
        return switch (this) {
            case REDIS, REDIS_CLUSTER -> Promise.LEASES_OUTLIVE_CONNECTIONS;
            case MYSQL, MARIADB, POSTGRESQL -> Promise.LEASES_END_WITH_CONNECTIONS;
            case FALLBACK_MYSQL_STOP, FALLBACK_POSTGRESQL_STOP -> Promise.PAIR_THAT_STOPS;
            case FALLBACK_MYSQL_KEEP_FENCED, FALLBACK_POSTGRESQL_KEEP_FENCED -> Promise.PAIR_THAT_GOES_ON;
        };
    }

    private static FallbackStore pair(List<String> urls, Setup secondary) {
        return FallbackStore.of(redis(urls), secondary.store(urls.subList(1, 2)))
                .primaryNamed("redis") // each process has its own address for it
                .named(PAIR)
                .epochTerm(EPOCH_TERM)
                .longestTerm(LONGEST_TERM)
                .unavailableAfter(UNAVAILABLE_AFTER)
                .returnAfter(RETURN_AFTER);
    }

    private static RedisLockStore redis(List<String> urls) {
        return RedisLockStore.at(urls.get(0)).longestTerm(LONGEST_TERM).answerWithin(ANSWER_WITHIN);
    }

    private static RedisLockStore cluster(List<String> urls) {
        return RedisLockStore.cluster(urls.toArray(String[]::new))
                .partitions(PARTITIONS)
                .longestTerm(LONGEST_TERM)
                .answerWithin(ANSWER_WITHIN);
    }

    DataSource database(List<String> urls, int index) {
        String user = servers.get(index) == ServerKind.POSTGRES ? "postgres" : "root";
        return new DriverManagerDataSource(urls.get(index), user, "");
    }

    private static void provision(RowLockStore store) {
        store.buckets(BUCKETS).provisionIfMissing(Estate.values()).close();
    }
}
