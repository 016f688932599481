package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Reads what the server says about itself. */
final class RedisServerCheck {
    private static final List<String> SETTINGS = List.of("save", "appendfsync", "timeout", "repl-backlog-ttl");

    private RedisServerCheck() {}

    static List<Finding> examine(DoctorSession visit) {
        Map<String, String> values = parse(visit.commands().info());
        if (values.isEmpty()) {
            throw new IllegalStateException("INFO is empty");
        }
        values.putAll(settings(visit));
        Facts facts = new Facts(values);
        List<Finding> findings = new ArrayList<>(RedisServerRule.judge(facts, visit.isToCluster()));
        findings.addAll(RedisMemoryRule.judge(facts));
        findings.addAll(RedisPersistenceRule.judge(facts));
        findings.addAll(RedisClientsRule.judge(facts));
        return findings;
    }

    /** Lines of {@code name:value}; others are left out. */
    static Map<String, String> parse(String info) {
        Map<String, String> values = new HashMap<>();
        info.lines().forEach(line -> {
            int colon = line.indexOf(':');
            if (colon > 0 && !line.startsWith("#")) {
                values.put(
                        line.substring(0, colon).toLowerCase(Locale.ROOT),
                        line.substring(colon + 1).strip());
            }
        });
        return values;
    }

    private static Map<String, String> settings(DoctorSession visit) {
        Map<String, String> settings = new HashMap<>();
        try {
            if (isAskingHarmless(visit)) {
                for (String name : SETTINGS) {
                    settings.putAll(visit.commands().configGet(name));
                }
                String longest = visit.commands().hget(visit.keys().memory(), "longest");
                settings.put(RedisServerRule.LONGEST_TERM, longest == null ? "" : longest);
            }
        } catch (RedisCommandExecutionException e) {
            // Managed servers forbid it; it is only for remarks.
        }
        return settings;
    }

    /** The scripts wait before the first lock of a new namespace if the server was ever given a CONFIG command, even one that only reads. */
    private static boolean isAskingHarmless(DoctorSession visit) {
        RedisCommands<String, String> commands = visit.commands();
        return commands.exists(visit.keys().memory()) > 0
                || commands.info("commandstats").contains("cmdstat_config");
    }
}
