package dev.lockstep.inventory.sql;

/**
 * The SQL in which databases that are otherwise alike differ.
 *
 * @param clock the database's clock, in UTC; it may stand still from the first query of a transaction on
 * @param rowClock the same, but read with a row, after its lock was acquired, where the database has such a clock
 * @param lateClock the same, but one that continues from query to query
 * @param ledgerHint what makes it use the ledger's index of request ids also while it has no statistics
 * @param beforeHex what stands before hexadecimal digits to make them text in UTF-8
 * @param afterHex what stands after them
 */
public record SqlVariant(
        String clock, String rowClock, String lateClock, String ledgerHint, String beforeHex, String afterHex) {
    /**
     * The milliseconds that a UUID of version 7 begins with. H2's other clocks stand still, and its table of sessions fails now and then
     * when another session has just ended its transaction (h2database issue 4352).
     */
    private static final String LATE_CLOCK_OF_H2 = """
            DATEADD(MILLISECOND,
                CAST(X'0000' || SUBSTRING(CAST(RANDOM_UUID(7) AS VARBINARY(16)) FROM 1 FOR 6) AS BIGINT),
                TIMESTAMP '1970-01-01 00:00:00')""";

    /** UTC_TIMESTAMP is the time at which the statement began, before it waited for a lock; only SYSDATE continues. */
    private static final String CLOCK_OF_INNODB =
            "TIMESTAMPADD(MICROSECOND, TIMESTAMPDIFF(MICROSECOND, NOW(6), SYSDATE(6)), UTC_TIMESTAMP(6))";

    public static final SqlVariant INNODB = new SqlVariant(
            "UTC_TIMESTAMP(6)",
            CLOCK_OF_INNODB,
            "UTC_TIMESTAMP(6)",
            "FORCE INDEX (inventory_transaction_once)",
            "_utf8mb4 X'",
            "'");

    public static final SqlVariant H2 = new SqlVariant(
            utc("CURRENT_TIMESTAMP(6)"), utc("CURRENT_TIMESTAMP(6)"), LATE_CLOCK_OF_H2, "", "UTF8TOSTRING(X'", "')");

    private static String utc(String time) {
        return "CAST(" + time + " AT TIME ZONE 'UTC' AS TIMESTAMP(6))";
    }
}
