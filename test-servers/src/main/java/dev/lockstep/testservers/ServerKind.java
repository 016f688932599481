package dev.lockstep.testservers;

import java.util.Locale;
import java.util.Map;

/** The servers that tests can use. */
public enum ServerKind {
    /** MySQL 8.0. */
    MYSQL("MYSQL_DSN", "mgl_test"),
    /** MariaDB 11.4. */
    MARIADB("MARIADB_DSN", "mgl_test"),
    /** PostgreSQL 18. */
    POSTGRES("POSTGRES_DSN", "lockstep"),
    /** Redis 6.2. */
    REDIS("REDIS_URL", "0"),
    /** Redis 7.0. */
    REDIS_7("REDIS_7_URL", "0");

    private final String variable;
    private final String database;

    ServerKind(String variable, String database) {
        this.variable = variable;
        this.database = database;
    }

    /** The environment variable that names a server to use instead of starting one. */
    public String variable() {
        return variable;
    }

    /** The database that a started server has. */
    String database() {
        return database;
    }

    /** What a JDBC URL of a started server says after the question mark: no TLS, and no attempt at it. */
    Map<String, String> params() {
        return switch (this) {
            case MYSQL -> Map.of("sslMode", "DISABLED", "allowPublicKeyRetrieval", "true");
            case POSTGRES -> Map.of("sslmode", "disable");
            case MARIADB, REDIS, REDIS_7 -> Map.of();
        };
    }

    boolean isRedis() {
        return this == REDIS || this == REDIS_7;
    }

    /** The name in file names, and in JDBC URLs but for PostgreSQL. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What JDBC URLs begin with; Redis has none. */
    String jdbcPrefix() {
        return switch (this) {
            case MYSQL, MARIADB -> "jdbc:" + id() + "://";
            case POSTGRES -> "jdbc:postgresql://";
            case REDIS, REDIS_7 -> throw new UnsupportedOperationException("Redis has no JDBC URL: use url()");
        };
    }

    ServerRecipe recipe() {
        return switch (this) {
            case MYSQL -> new MysqlRecipe();
            case MARIADB -> new MariadbRecipe();
            case POSTGRES -> new PostgresRecipe();
            case REDIS -> RedisRecipe.REDIS_6;
            case REDIS_7 -> RedisRecipe.REDIS_7;
        };
    }
}
