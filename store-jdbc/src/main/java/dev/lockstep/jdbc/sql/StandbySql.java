package dev.lockstep.jdbc.sql;

/**
 * SQL conditions for servers whose locks have no effect on the primary. Locks, the register of epochs and the doctor use the same
 * ones.
 */
public final class StandbySql {
    /** The name of the global variable that may hold a word since MariaDB 12. */
    private static final String READ_ONLY = "@@global.read_only";

    /** With {@code innodb_read_only}, as on a reader of Amazon Aurora, a locking read returns the row and locks nothing. */
    public static final String INNODB = "(" + isOn(READ_ONLY) + " OR @@global.innodb_read_only)";

    public static final String POSTGRESQL = "pg_is_in_recovery()";

    private StandbySql() {}

    /** Whether a setting that is a number on some servers and a word on others is not off. */
    public static String isOn(String setting) {
        return "CAST(" + setting + " AS CHAR) NOT IN ('0', 'OFF')";
    }
}
