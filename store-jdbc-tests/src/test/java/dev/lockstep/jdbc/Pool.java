package dev.lockstep.jdbc;

import com.mchange.v2.c3p0.ComboPooledDataSource;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.testservers.TestDatabase;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.apache.commons.dbcp2.BasicDataSource;
import org.apache.tomcat.jdbc.pool.PoolProperties;

/** The connection pools that applications use, as they come. */
enum Pool {
    NONE {
        @Override
        Open open(TestDatabase database, int size) {
            return new Open(Databases.of(database), () -> {});
        }
    },
    HIKARI {
        @Override
        Open open(TestDatabase database, int size) {
            HikariConfig config = new HikariConfig();
            config.setDataSource(Databases.of(database));
            config.setMaximumPoolSize(size);
            HikariDataSource pool = new HikariDataSource(config);
            return new Open(pool, pool::close);
        }
    },
    TOMCAT {
        @Override
        Open open(TestDatabase database, int size) {
            PoolProperties properties = new PoolProperties();
            properties.setDataSource(Databases.of(database));
            properties.setInitialSize(0);
            properties.setMinIdle(0);
            properties.setMaxActive(size);
            org.apache.tomcat.jdbc.pool.DataSource pool = new org.apache.tomcat.jdbc.pool.DataSource(properties);
            return new Open(pool, pool::close);
        }
    },
    DBCP2 {
        @Override
        Open open(TestDatabase database, int size) {
            BasicDataSource pool = new BasicDataSource();
            pool.setUrl(database.jdbcUrl());
            pool.setUsername(database.user());
            pool.setPassword(database.password());
            pool.setMaxTotal(size);
            return new Open(pool, pool::close);
        }
    },
    C3P0 {
        @Override
        Open open(TestDatabase database, int size) {
            ComboPooledDataSource pool = new ComboPooledDataSource();
            pool.setJdbcUrl(database.jdbcUrl());
            pool.setUser(database.user());
            pool.setPassword(database.password());
            pool.setInitialPoolSize(1);
            pool.setMinPoolSize(1);
            pool.setMaxPoolSize(size);
            return new Open(pool, pool::close);
        }
    };

    /** Closes a pool. */
    interface Closing {
        void close() throws SQLException;
    }

    /** A pool in use. */
    record Open(DataSource dataSource, Closing closing) implements AutoCloseable {
        @Override
        public void close() throws SQLException {
            closing.close();
        }
    }

    abstract Open open(TestDatabase database, int size);
}
