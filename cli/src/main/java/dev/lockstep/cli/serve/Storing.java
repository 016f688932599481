package dev.lockstep.cli.serve;

import dev.lockstep.cli.store.Credentials;
import dev.lockstep.cli.store.DatabaseAddress;
import dev.lockstep.cli.store.DatabaseLogin;
import dev.lockstep.cli.store.DatabaseProduct;
import dev.lockstep.cli.store.EtcdClusterAddress;
import dev.lockstep.cli.store.MemoryAddress;
import dev.lockstep.cli.store.PairAddress;
import dev.lockstep.cli.store.RedisAddress;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.spi.LockStore;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Where locks and stock are kept.
 *
 * @param namespace of the locks
 * @param inventory the URL of another database for the stock
 * @param login who asks there
 * @param data the folder for what is kept in files
 * @param leases how many there may be at a time where each takes a connection
 * @param demo whether nothing is to stay
 */
public record Storing(
        StoreAddress locks,
        Optional<String> namespace,
        Optional<String> inventory,
        Credentials login,
        Path data,
        int leases,
        boolean demo) {
    /** How many leases a server on a database keeps by default: each takes a connection. */
    public static final int USUAL_LEASES = 32;

    private static final int MOST_LEASES = 5_000;
    private static final int CONNECTIONS_OF_STOCK = 16;

    /** Checks the number of leases. */
    public Storing {
        if (leases < 1 || leases > MOST_LEASES) {
            throw new InvalidRequestException("--leases must be between 1 and " + MOST_LEASES + ", but was " + leases
                    + ". On a database each lease takes a connection while it is held.");
        }
    }

    /** The server's properties for it. Connects to databases, to find out which they are; makes the data folder. */
    Map<String, Object> properties() {
        Map<String, Object> properties = new LinkedHashMap<>(propertiesOf(store()));
        if (locks instanceof PairAddress pair) {
            putFallback(pair, properties);
        }
        return properties;
    }

    /** The store that is used as long as it can be reached. */
    private StoreAddress store() {
        return locks instanceof PairAddress pair ? pair.primary() : locks;
    }

    private void putFallback(PairAddress pair, Map<String, Object> properties) {
        properties.put(
                "lockstep.fallback.store", pair.secondary().product().name().toLowerCase(Locale.ROOT));
        properties.put("lockstep.fallback.name", pair.name());
        properties.put("lockstep.fallback.data-source", "fallbackDataSource");
        put("lockstep.server.fallback-database", pair.secondary().login(), properties);
        properties.put("lockstep.server.fallback-database.connections", leases + CONNECTIONS_OF_STOCK);
        properties.putIfAbsent("lockstep.connections", leases);
    }

    private Map<String, Object> propertiesOf(StoreAddress store) {
        Map<String, Object> properties = new LinkedHashMap<>();
        namespace.ifPresent(name -> properties.put("lockstep.namespace", name));
        if (store instanceof MemoryAddress) {
            properties.put("lockstep.store", "memory");
            if (!demo) {
                properties.put("lockstep.server.data", folder().path().toString());
            }
        } else if (store instanceof RedisAddress redis) {
            putRedis(redis, properties);
        } else if (store instanceof EtcdClusterAddress etcd) {
            putEtcd(etcd, properties);
        } else if (store instanceof DatabaseAddress database) {
            putDatabase(database, properties);
        }
        if (!isTogether()) {
            putStock(properties);
        }
        return properties;
    }

    /** Asks Redis or etcd, so that one that isn't there is found at once; databases are asked for their product anyway. */
    public void requireAnswer() {
        if (locks instanceof RedisAddress || locks instanceof EtcdClusterAddress) {
            try (LockStore open = locks.open()) {
                open.snapshot();
            }
        }
    }

    /** Whether the stock is in the database of the locks. */
    private boolean isTogether() {
        return store() instanceof DatabaseAddress && inventory.isEmpty() && !demo;
    }

    private static void putRedis(RedisAddress redis, Map<String, Object> properties) {
        properties.put("lockstep.store", "redis");
        List<String> logins = redis.logins();
        if (!redis.isCluster()) {
            properties.put("lockstep.redis.url", logins.get(0));
            return;
        }
        for (int i = 0; i < logins.size(); i++) { // not in one text: a password may have a comma
            properties.put("lockstep.redis.cluster[" + i + "]", logins.get(i));
        }
        redis.partitions().ifPresent(count -> properties.put("lockstep.redis.partitions", count));
    }

    private static void putEtcd(EtcdClusterAddress etcd, Map<String, Object> properties) {
        properties.put("lockstep.store", "etcd");
        properties.put("lockstep.etcd.url", etcd.url());
        etcd.credentials().user().ifPresent(user -> properties.put("lockstep.etcd.username", user));
        etcd.credentials().password().ifPresent(secret -> properties.put("lockstep.etcd.password", secret));
    }

    private void putDatabase(DatabaseAddress database, Map<String, Object> properties) {
        properties.put("lockstep.store", database.product().name().toLowerCase(Locale.ROOT));
        if (isTogether()) {
            put("spring.datasource", database.login(), properties);
            properties.put("spring.datasource.hikari.maximum-pool-size", leases + CONNECTIONS_OF_STOCK);
            properties.put("lockstep.connections", leases);
        } else {
            put("lockstep.server.lock-database", database.login(), properties);
            properties.put("lockstep.server.lock-database.connections", leases + 1);
            properties.put("lockstep.connections", leases);
        }
    }

    /** A user and a password of nothing stand before those of the environment. */
    private static void put(String where, DatabaseLogin login, Map<String, Object> properties) {
        properties.put(where + ".url", login.url());
        login.credentials().user().ifPresent(user -> properties.put(where + ".username", user));
        login.credentials().password().ifPresent(secret -> properties.put(where + ".password", secret));
    }

    private void putStock(Map<String, Object> properties) {
        if (inventory.isPresent() && !isH2(inventory.get())) {
            put("spring.datasource", database(inventory.get()).login(), properties);
            return;
        }
        String url = inventory.orElseGet(() ->
                demo ? "jdbc:h2:mem:lockstep-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1" : folder().databaseUrl());
        put("spring.datasource", new DatabaseLogin(url, login), properties);
    }

    private DatabaseAddress database(String url) {
        if (StoreAddress.parse(url, login, Optional.empty()) instanceof DatabaseAddress database) {
            return database;
        }
        throw new InvalidRequestException(
                "--inventory needs a database: stock can't be kept in memory or on Redis. Write jdbc:postgresql://host/database,"
                        + " jdbc:mysql://host/database, jdbc:mariadb://host/database or jdbc:h2:file:/path/name; or leave it out.");
    }

    private static boolean isH2(String url) {
        return url.strip().toLowerCase(Locale.ROOT).startsWith("jdbc:h2:");
    }

    private DataFolder folder() {
        return new DataFolder(data).made();
    }

    /** Whether what can be locked must be known: each kind has rows, or a rank that is smaller than a name would give it. */
    boolean needsKinds() {
        return locks instanceof DatabaseAddress || locks instanceof PairAddress;
    }

    /** Whether locks there are in rows that must be made beforehand. */
    boolean needsRows() {
        return hasRows(store()) || (locks instanceof PairAddress pair && hasRows(pair.secondary()));
    }

    private static boolean hasRows(StoreAddress store) {
        return store instanceof DatabaseAddress database && database.product() != DatabaseProduct.POSTGRESQL;
    }

    /** Whether each lease takes a connection to a database. */
    public boolean keepsConnections() {
        return locks instanceof DatabaseAddress || locks instanceof PairAddress;
    }

    /** Whether Redis doesn't know the namespace, so that nothing is granted at first. */
    public boolean isNewNamespace() {
        return locks instanceof RedisAddress redis && redis.isNewNamespace();
    }

    /** In words, without passwords. */
    String locksInWords() {
        return locks instanceof MemoryAddress ? "in the memory of this process" : "on " + locks;
    }

    /** In words, without passwords. */
    String stockInWords() {
        if (isTogether()) {
            return "in the same database";
        }
        if (inventory.isEmpty()) {
            return demo ? "in memory; nothing of it stays" : "in the folder " + data;
        }
        return isH2(inventory.get()) ? "in an H2 database" : "on " + database(inventory.get());
    }
}
