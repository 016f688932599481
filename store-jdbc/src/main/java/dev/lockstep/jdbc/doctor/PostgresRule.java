package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.sql.Numbers;
import java.util.ArrayList;
import java.util.List;

/** Judges the settings of a PostgreSQL server. */
public final class PostgresRule {
    /** End what the caller's own transaction locked; the store's sessions set their own. */
    private static final List<String> TIMEOUTS = List.of(
            "statement_timeout",
            "lock_timeout",
            "transaction_timeout",
            "idle_in_transaction_session_timeout",
            "idle_session_timeout");

    /** A lease of this many keys, ancestors included, should find room. */
    private static final long KEYS_OF_A_LEASE = 100;

    private final Facts facts;
    private final int connections;
    private final List<Finding> findings = new ArrayList<>();

    private PostgresRule(Facts facts, int connections) {
        this.facts = facts;
        this.connections = connections;
    }

    /** Judges; the facts are those of {@link PostgresChecks}. */
    static List<Finding> judge(Facts facts, int connections) {
        PostgresRule rule = new PostgresRule(facts, connections);
        rule.standby();
        rule.connectionLimit();
        rule.lockTable();
        rule.timeouts();
        rule.isolation();
        rule.visibility();
        return rule.findings;
    }

    /** Judges only whether the locks of other processes can be seen. */
    static List<Finding> judgeVisibility(Facts facts) {
        PostgresRule rule = new PostgresRule(facts, 0);
        rule.visibility();
        return rule.findings;
    }

    private void standby() {
        if (facts.isOn("in_recovery")) {
            findings.add(Finding.error(
                    "The server is a standby (pg_is_in_recovery), and grants advisory locks that have no effect on the primary.",
                    "Connect to the primary, with targetServerType=primary where the URL names several hosts."));
        } else if (facts.isOn("default_transaction_read_only")) {
            findings.add(Finding.warning(
                    "default_transaction_read_only is on: locks can be acquired, but no write can follow them.",
                    "Connect with a user, and to a database, that may write."));
        } else {
            findings.add(Finding.ok("The server is a primary."));
        }
    }

    private void connectionLimit() {
        long reserved = facts.isOn("is_superuser")
                ? 0
                : facts.number("superuser_reserved_connections") + facts.number("reserved_connections");
        findings.add(ConnectionLimitRule.judge(
                reserved == 0 ? "max_connections" : "max_connections less the reserved ones",
                facts.number("max_connections") - reserved,
                facts.number("used_connections"),
                connections));
        limited("CONNECTION LIMIT of the role", "role_limit", "role_connections");
        limited("CONNECTION LIMIT of the database", "database_limit", "database_connections");
    }

    private void limited(String limit, String most, String used) {
        if (!facts.text(most).isEmpty() && facts.number(most) >= 0) { // -1 is no limit
            findings.add(ConnectionLimitRule.judge(limit, facts.number(most), facts.number(used), connections));
        }
    }

    private void lockTable() {
        long capacity = facts.number("max_locks_per_transaction")
                * (facts.number("max_connections") + facts.number("max_prepared_transactions"));
        String what = "The server's lock table has room for about " + Numbers.grouped(capacity)
                + " locks of all its sessions together";
        findings.add(
                capacity < connections * KEYS_OF_A_LEASE
                        ? Finding.warning(
                                what + ", and " + connections + " leases of " + KEYS_OF_A_LEASE + " keys need more.",
                                "Raise max_locks_per_transaction, which needs a restart, or lock a common parent instead of many"
                                        + " things.")
                        : Finding.ok(what + "."));
    }

    private void timeouts() {
        List<String> set = TIMEOUTS.stream()
                .filter(name -> facts.number(name) > 0)
                .map(name -> name + " = " + facts.text(name) + " ms")
                .toList();
        if (!set.isEmpty()) {
            findings.add(
                    Finding.ok(
                            "Sessions begin with " + String.join(", ", set) + ".",
                            "The store's own sessions set theirs. Locks in a transaction of yours end with it when one of these strikes."));
        }
    }

    private void isolation() {
        String isolation = facts.text("default_transaction_isolation");
        findings.add(
                Finding.ok(
                        "The default isolation is " + isolation + ".",
                        isolation.equals("read committed")
                                ? ""
                                : "The store's own sessions use READ COMMITTED. In a transaction of yours, lock before anything is read:"
                                        + " later reads show the data as it was at the first statement, the one that locks included."));
    }

    private void visibility() {
        findings.add(
                facts.isOn("sees_all")
                        ? Finding.ok("Who holds and who waits can be seen.")
                        : Finding.ok(
                                "Who holds and who waits can be seen among processes that use the same database user.",
                                "GRANT pg_read_all_stats to the user to see those of others."));
    }
}
