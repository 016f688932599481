package dev.lockstep.jdbc;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.testservers.ServerKind;
import javax.sql.DataSource;
import org.slf4j.LoggerFactory;

/** The databases that locks live on, and how each is asked what it sees of a database with locks. */
enum Server {
    MYSQL(ServerKind.MYSQL) {
        @Override
        String locks() {
            return "SELECT COUNT(*) FROM performance_schema.data_locks WHERE OBJECT_SCHEMA = ?";
        }

        @Override
        String waits() {
            return locks() + " AND LOCK_STATUS = 'WAITING'";
        }

        @Override
        LockStore store(DataSource dataSource, int connections) {
            return RowLockStore.mysql(dataSource).connections(connections);
        }

        @Override
        LockStore provisioning(DataSource dataSource) {
            return RowLockStore.mysql(dataSource).provisionIfMissing();
        }

        @Override
        void provision(DataSource dataSource, int buckets, LockKind... kinds) {
            RowLockStore.mysql(dataSource)
                    .buckets(buckets)
                    .provisionIfMissing(kinds)
                    .close();
        }
    },

    MARIADB(ServerKind.MARIADB) {
        @Override
        String locks() {
            return "SELECT COUNT(*) FROM information_schema.INNODB_TRX transactions"
                    + " JOIN information_schema.PROCESSLIST processes ON processes.ID = transactions.trx_mysql_thread_id"
                    + " WHERE processes.DB = ?";
        }

        @Override
        String waits() {
            return locks() + " AND trx_state = 'LOCK WAIT'";
        }

        @Override
        LockStore store(DataSource dataSource, int connections) {
            return RowLockStore.mariadb(dataSource).connections(connections);
        }

        @Override
        LockStore provisioning(DataSource dataSource) {
            return RowLockStore.mariadb(dataSource).provisionIfMissing();
        }

        @Override
        void provision(DataSource dataSource, int buckets, LockKind... kinds) {
            RowLockStore.mariadb(dataSource)
                    .buckets(buckets)
                    .provisionIfMissing(kinds)
                    .close();
        }
    },

    POSTGRES(ServerKind.POSTGRES) {
        @Override
        String locks() {
            return "SELECT COUNT(*) FROM pg_locks locks JOIN pg_database databases ON databases.oid = locks.database"
                    + " WHERE locktype = 'advisory' AND objsubid = 1 AND datname = ?";
        }

        @Override
        String waits() {
            return locks() + " AND NOT granted";
        }

        @Override
        String product() {
            return "PostgreSQL";
        }

        @Override
        String[] readOnly(boolean on) {
            return new String[] {
                "ALTER SYSTEM SET default_transaction_read_only = " + (on ? "on" : "off"), "SELECT pg_reload_conf()"
            };
        }

        @Override
        String isReadOnly() {
            return "SELECT current_setting('default_transaction_read_only')::boolean";
        }

        @Override
        String[] earlyCommits(String database) {
            return new String[] {"ALTER DATABASE " + database + " SET synchronous_commit = off", "CHECKPOINT"};
        }

        @Override
        String[] reader(String user, String database) {
            return new String[] {
                "CREATE ROLE " + user + " LOGIN PASSWORD 'secret'",
                "GRANT SELECT ON ALL TABLES IN SCHEMA public TO " + user
            };
        }

        @Override
        String sessions() {
            return "SELECT pid FROM pg_stat_activity WHERE datname = ?";
        }

        @Override
        String kill(long session) {
            return "SELECT pg_terminate_backend(" + session + ")";
        }

        @Override
        LockStore store(DataSource dataSource, int connections) {
            return AdvisoryLockStore.postgresql(dataSource).connections(connections);
        }

        @Override
        void provision(DataSource dataSource, int buckets, LockKind... kinds) {}
    };

    static {
        // MariaDB's driver warns of each error it passes on, and a lock that is taken is one.
        ((Logger) LoggerFactory.getLogger("org.mariadb.jdbc.message.server.ErrorPacket")).setLevel(Level.ERROR);
    }

    private final ServerKind kind;

    Server(ServerKind kind) {
        this.kind = kind;
    }

    ServerKind kind() {
        return kind;
    }

    /** What the product calls itself. */
    String product() {
        return name();
    }

    /** Has the server take no writes, or take them again; for all sessions, those that are open included. */
    String[] readOnly(boolean on) {
        return new String[] {"SET GLOBAL read_only = " + (on ? "ON" : "OFF")};
    }

    /** Asks whether a new connection would find the server so; PostgreSQL reads its settings a while after it was told to. */
    String isReadOnly() {
        return "SELECT @@GLOBAL.read_only";
    }

    /** Has new sessions of a database report commits before they are durable, where that can be set for one database. */
    String[] earlyCommits(String database) {
        return new String[] {};
    }

    /** Makes a user who may only read the database, with the password {@code secret}. */
    String[] reader(String user, String database) {
        return new String[] {
            "CREATE USER " + user + " IDENTIFIED BY 'secret'", "GRANT SELECT ON " + database + ".* TO " + user
        };
    }

    /** Counts the locks, or the transactions with locks, on one database, those that are waited for included. */
    abstract String locks();

    /** Counts those who wait for a lock on one database. */
    abstract String waits();

    /** The ids of the sessions on one database. */
    String sessions() {
        return "SELECT ID FROM information_schema.PROCESSLIST WHERE DB = ?";
    }

    /** Ends a session, as an administrator does. */
    String kill(long session) {
        return "KILL " + session;
    }

    abstract LockStore store(DataSource dataSource, int connections);

    /** A store that creates the rows of a kind at its first use, if it needs any. */
    LockStore provisioning(DataSource dataSource) {
        return store(dataSource, 16);
    }

    /** Creates the rows that the locks of these kinds need, if they need any. */
    abstract void provision(DataSource dataSource, int buckets, LockKind... kinds);
}
