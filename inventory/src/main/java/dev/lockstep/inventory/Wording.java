package dev.lockstep.inventory;

/**
 * What databases that are otherwise alike say differently.
 *
 * @param clock the database's clock, in UTC; it may stand still from the first query of a transaction on
 * @param lateClock the same, but one that goes on
 * @param ledgerHint what makes it use the ledger's index of request ids also while it has no statistics
 * @param beforeHex what stands before hexadecimal digits to make them text in UTF-8
 * @param afterHex what stands after them
 */
record Wording(String clock, String lateClock, String ledgerHint, String beforeHex, String afterHex) {
    static final Wording INNODB = new Wording(
            "UTC_TIMESTAMP(6)", "UTC_TIMESTAMP(6)", "FORCE INDEX (inventory_transaction_once)", "_utf8mb4 X'", "'");

    static final Wording H2 = new Wording(
            utc("CURRENT_TIMESTAMP(6)"),
            "(SELECT " + utc("EXECUTING_STATEMENT_START")
                    + " FROM INFORMATION_SCHEMA.SESSIONS WHERE SESSION_ID = SESSION_ID())",
            "",
            "UTF8TOSTRING(X'",
            "')");

    private static String utc(String time) {
        return "CAST(" + time + " AT TIME ZONE 'UTC' AS TIMESTAMP(6))";
    }
}
