package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import java.util.List;

/** Judges what the server does when its memory is full. */
final class RedisMemoryRule {
    private static final String SAFE = "noeviction";
    private static final int NEARLY_FULL_PERCENT = 90;

    private RedisMemoryRule() {}

    /** Judges; the facts are those of {@code INFO memory}. */
    static List<Finding> judge(Facts facts) {
        String policy = facts.text("maxmemory_policy");
        if (policy.isEmpty()) {
            return List.of(Finding.warning(
                    "The server doesn't tell its maxmemory-policy.",
                    "Make sure that it is " + SAFE + ": any other may drop locks that are held."));
        }
        if (!policy.equals(SAFE)) {
            return List.of(Finding.error(
                    "maxmemory-policy is " + policy + ": " + when(facts) + ", Redis may drop locks that are held.",
                    "CONFIG SET maxmemory-policy " + SAFE
                            + ", and write it into redis.conf too; keep locks apart from caches."));
        }
        return List.of(isNearlyFull(facts) ? full(facts) : Finding.ok("maxmemory-policy is " + SAFE + "."));
    }

    private static String when(Facts facts) {
        return facts.number("maxmemory") > 0 ? "when memory is full" : "as soon as maxmemory is set";
    }

    private static boolean isNearlyFull(Facts facts) {
        long most = facts.number("maxmemory");
        return most > 0 && facts.number("used_memory") >= most / 100 * NEARLY_FULL_PERCENT;
    }

    private static Finding full(Facts facts) {
        return Finding.warning(
                "The server uses " + facts.text("used_memory") + " of " + facts.text("maxmemory")
                        + " bytes of maxmemory; when they are used up, no lock can be taken.",
                "Raise maxmemory, or keep locks apart from other data.");
    }
}
