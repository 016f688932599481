package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import java.util.ArrayList;
import java.util.List;

/** Judges whether connections can be opened, and kept. */
final class RedisClientsRule {
    private static final int NEARLY_ALL_PERCENT = 90;

    private RedisClientsRule() {}

    /** Judges; the facts are those of {@code INFO clients}, and the settings if they could be asked. */
    static List<Finding> judge(Facts facts) {
        List<Finding> findings = new ArrayList<>();
        long most = facts.number("maxclients");
        long used = facts.number("connected_clients");
        if (most > 0) {
            String what = "maxclients is " + most + ", with " + used + " connected now.";
            findings.add(
                    used * 100 >= most * NEARLY_ALL_PERCENT
                            ? Finding.warning(
                                    what,
                                    "Raise it, or look for connections that are never closed: each process with a store needs two.")
                            : Finding.ok(what));
        }
        if (facts.number("timeout") > 0) {
            findings.add(Finding.ok(
                    "The server closes connections that were idle for " + facts.text("timeout") + " s (timeout).",
                    "The store connects again when it needs to; timeout 0 spares it that."));
        }
        return findings;
    }
}
