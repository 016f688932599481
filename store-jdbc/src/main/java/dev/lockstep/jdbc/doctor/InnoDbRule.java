package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import java.util.ArrayList;
import java.util.List;

/** Judges the settings of a MySQL or MariaDB server. */
public final class InnoDbRule {
    private static final List<String> READ_ONLY = List.of("read_only", "super_read_only", "innodb_read_only");

    private final Facts facts;
    private final List<Finding> findings = new ArrayList<>();

    private InnoDbRule(Facts facts) {
        this.facts = facts;
    }

    /** Judges; the facts are the global variables and {@code wsrep_cluster_size}. */
    static List<Finding> judge(Facts facts) {
        InnoDbRule rule = new InnoDbRule(facts);
        rule.readOnly();
        rule.galera();
        rule.groupReplication();
        rule.timeouts();
        if (rule.findings.isEmpty()) {
            rule.findings.add(
                    Finding.ok("The server takes writes, is not part of a cluster of several primaries, and keeps"
                            + " locks when a wait times out."));
        }
        rule.isolation();
        return rule.findings;
    }

    private void readOnly() {
        List<String> on = READ_ONLY.stream().filter(facts::isOn).toList();
        if (!on.isEmpty()) {
            findings.add(Finding.error(
                    "The server is read-only (" + String.join(", ", on) + "), as replicas are.",
                    "Connect to the primary: locks on a replica have no effect there, so the store refuses them."));
        }
    }

    private void galera() {
        if (!facts.isOn("wsrep_on") || facts.isOff("wsrep_provider")) {
            return;
        }
        long nodes = facts.number("wsrep_cluster_size");
        String wayOut =
                "Let all processes connect to one and the same node, and none to another while locks are held there; or keep"
                        + " the locks on a server without Galera.";
        findings.add(
                nodes > 1
                        ? Finding.error(
                                "The server is one of " + nodes
                                        + " Galera nodes, and row locks exclude only on their own node.",
                                wayOut)
                        : Finding.warning("The server is a Galera node, the only one now.", wayOut));
    }

    private void groupReplication() {
        if (!facts.text("group_replication_group_name").isEmpty()
                && facts.isOff("group_replication_single_primary_mode")) {
            findings.add(
                    Finding.error(
                            "The server is in a group with several primaries, and row locks exclude only on their own server.",
                            "Switch to one primary with group_replication_switch_to_single_primary_mode(), and connect to that one."));
        }
    }

    private void timeouts() {
        if (facts.isOn("innodb_rollback_on_timeout")) {
            findings.add(Finding.error(
                    "innodb_rollback_on_timeout is ON: a wait that times out takes away locks that are held.",
                    "Start the server with innodb_rollback_on_timeout=OFF, which is the default."));
        }
        if (facts.isOff("innodb_deadlock_detect")) {
            findings.add(Finding.warning(
                    "innodb_deadlock_detect is OFF: transactions that lock against the order wait for each other until a timeout.",
                    "SET GLOBAL innodb_deadlock_detect = ON, which is the default."));
        }
    }

    private void isolation() {
        String isolation =
                facts.text(facts.text("transaction_isolation").isEmpty() ? "tx_isolation" : "transaction_isolation");
        if (!isolation.isEmpty()) {
            findings.add(Finding.ok(
                    "The default isolation is " + isolation + ".",
                    isolation.equals("READ-COMMITTED")
                            ? ""
                            : "The store's own sessions use READ COMMITTED. In a transaction of yours, lock before the first read:"
                                    + " later reads show the data as it was at that first one."));
        }
    }
}
