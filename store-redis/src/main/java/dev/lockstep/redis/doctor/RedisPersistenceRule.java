package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import java.util.ArrayList;
import java.util.List;

/** Judges what the server knows after a restart, and whether it can write to its disk. */
final class RedisPersistenceRule {
    private static final String AFTER_A_RESTART =
            "After a restart no lock is granted for the longest term, whatever the disk kept, and tokens go on rising by the clock.";

    private RedisPersistenceRule() {}

    /** Judges; the facts are those of {@code INFO persistence}, and the settings if they could be asked. */
    static List<Finding> judge(Facts facts) {
        List<Finding> findings = new ArrayList<>();
        if (facts.text("rdb_last_bgsave_status").equals("err")) {
            findings.add(Finding.warning(
                    "The server's last snapshot (BGSAVE) failed; with stop-writes-on-bgsave-error it refuses all writes, locks too.",
                    "Look into the server's log; make room on the disk and in memory, then run BGSAVE."));
        }
        if (facts.text("aof_last_write_status").equals("err")) {
            findings.add(Finding.error(
                    "The server can't write its append-only file, so it refuses all writes, locks too.",
                    "Look into the server's log, and make room on its disk."));
        }
        if (!facts.text("aof_enabled").isEmpty()) {
            findings.add(Finding.ok("The server keeps " + kept(facts) + ".", AFTER_A_RESTART));
        }
        return findings;
    }

    private static String kept(Facts facts) {
        if (facts.isOn("aof_enabled")) {
            String sync = facts.text("appendfsync");
            return "every change in a file (AOF" + (sync.isEmpty() ? "" : ", appendfsync " + sync) + ")";
        }
        boolean asked = !facts.text("appendfsync").isEmpty();
        if (asked && facts.text("save").isEmpty()) {
            return "nothing on its disk";
        }
        return asked ? "snapshots (RDB, save " + facts.text("save") + ")" : "snapshots (RDB) at most";
    }
}
