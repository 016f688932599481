package dev.lockstep.cli.store;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;

/** Connections to one database. */
record Pool(HikariDataSource dataSource) implements AutoCloseable {
    private static final int CONNECTIONS = 40;

    static Pool to(JdbcUrl url) {
        return new Pool(new HikariDataSource(config(url)));
    }

    /** To another database of the same server. */
    static Pool to(JdbcUrl url, String database) {
        HikariConfig config = config(url);
        config.setCatalog(database);
        return new Pool(new HikariDataSource(config));
    }

    /** To a schema of the same database. */
    static Pool toSchema(JdbcUrl url, String schema) {
        HikariConfig config = config(url);
        config.setSchema(schema);
        return new Pool(new HikariDataSource(config));
    }

    private static HikariConfig config(JdbcUrl url) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url.text());
        url.credentials().user().ifPresent(config::setUsername);
        url.credentials().password().ifPresent(config::setPassword);
        config.setPoolName("lockstep");
        config.setMaximumPoolSize(CONNECTIONS);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(InTime.PATIENCE.toMillis());
        config.setInitializationFailTimeout(-1);
        return config;
    }

    @Override
    public void close() {
        dataSource.close();
    }
}
