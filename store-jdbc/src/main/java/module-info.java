/** Locks on databases: rows of MySQL and MariaDB, advisory locks of PostgreSQL. */
module dev.lockstep.jdbc {
    requires transitive dev.lockstep.core;
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires org.slf4j;

    exports dev.lockstep.jdbc;
}
