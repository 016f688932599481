package dev.lockstep.spring.autoconfigure;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Where locks are kept. */
public enum StoreType {
    /** In the memory of this process: they exclude nothing outside of it. */
    MEMORY("lockstep-core"),
    /** In the rows of a MySQL 8 database. */
    MYSQL("lockstep-store-jdbc"),
    /** In the rows of a MariaDB database. */
    MARIADB("lockstep-store-jdbc"),
    /** In advisory locks of a PostgreSQL database. */
    POSTGRESQL("lockstep-store-jdbc"),
    /** On a Redis server. */
    REDIS("lockstep-store-redis"),
    /** On an etcd cluster. */
    ETCD("lockstep-store-etcd");

    private final String artifact;

    StoreType(String artifact) {
        this.artifact = artifact;
    }

    /** The Maven artifact that it is in. */
    String artifact() {
        return artifact;
    }

    /** As it is written in a configuration. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** All that can be written. */
    static String choices() {
        return Stream.of(values()).map(StoreType::text).collect(Collectors.joining(", "));
    }
}
