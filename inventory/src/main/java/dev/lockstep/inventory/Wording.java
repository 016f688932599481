package dev.lockstep.inventory;

/**
 * What databases that are otherwise alike say differently.
 *
 * @param clock the database's clock, in UTC
 * @param ledgerHint what makes it use the ledger's index of request ids also while it has no statistics
 * @param beforeHex what stands before hexadecimal digits to make them text in UTF-8
 * @param afterHex what stands after them
 */
record Wording(String clock, String ledgerHint, String beforeHex, String afterHex) {
    static final Wording INNODB =
            new Wording("UTC_TIMESTAMP(6)", "FORCE INDEX (inventory_transaction_once)", "_utf8mb4 X'", "'");

    static final Wording H2 =
            new Wording("CAST(CURRENT_TIMESTAMP(6) AT TIME ZONE 'UTC' AS TIMESTAMP(6))", "", "UTF8TOSTRING(X'", "')");
}
