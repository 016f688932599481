package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Judges what a server refused to do for the user. */
final class RedisAccessRule {
    /** A replica or a cluster: {@link RedisServerRule} says it better. */
    private static final Pattern TOLD_BEFORE = Pattern.compile("READONLY|read only replica|CLUSTERDOWN|MOVED");

    private final Map<String, String> refusals;
    private final AclRule rule;
    private final List<Finding> findings = new ArrayList<>();

    private RedisAccessRule(Map<String, String> refusals, AclRule rule) {
        this.refusals = refusals;
        this.rule = rule;
    }

    /** Judges; the refusals are what the server said, by command. */
    static List<Finding> judge(Map<String, String> refusals, AclRule rule) {
        RedisAccessRule verdict = new RedisAccessRule(refusals, rule);
        verdict.commands();
        verdict.keys();
        verdict.hints();
        verdict.writes();
        if (refusals.isEmpty()) {
            verdict.findings.add(Finding.ok("The user may do all that the store needs."));
        }
        return verdict.findings;
    }

    /** Whether that is a lack of rights; each version of Redis says it in other words. */
    static boolean isForbidden(String refusal) {
        String said = refusal.toLowerCase(Locale.ROOT);
        return said.contains("noperm")
                || said.contains("no permission")
                || said.contains("the user executing the script");
    }

    private static boolean isOfKeys(String refusal) {
        return refusal.contains(" key");
    }

    private void commands() {
        List<String> missing = refused(said -> isForbidden(said) && !isOfKeys(said));
        missing.remove("PUBLISH");
        if (!missing.isEmpty()) {
            String restarts = missing.contains("INFO")
                    ? " Without INFO in a script it can't be seen that the server was restarted and forgot locks."
                    : "";
            findings.add(Finding.error(
                    "The user may not run " + String.join(", ", missing) + ", which the store's scripts need."
                            + restarts,
                    rule.adding(AclRule.allow(missing)) + "; all that it needs is " + rule.whole()));
        }
    }

    private void keys() {
        if (!refused(said -> isForbidden(said) && isOfKeys(said)).isEmpty()) {
            findings.add(Finding.error(
                    "The user may not use the keys of the namespace, " + rule.prefix() + "*.",
                    rule.adding(rule.keys()) + "; all that it needs is " + rule.whole()));
        }
    }

    private void hints() {
        String said = refusals.getOrDefault("PUBLISH", "");
        if (isForbidden(said)) {
            findings.add(noHints("send", "+publish", rule));
        }
    }

    /** Waiters are not notified of their turn. */
    static Finding noHints(String verb, String command, AclRule rule) {
        return Finding.warning(
                "The user may not " + verb + " hints on the channels "
                        + rule.prefix()
                        + "*. Locks work, but who waits for one learns up to a second later that it is free.",
                rule.adding(command + " " + rule.channels()));
    }

    /** What isn't about the user: memory, disk, replicas. */
    private void writes() {
        for (String said : new TreeSet<>(refusals.values())) {
            if (!isForbidden(said) && !TOLD_BEFORE.matcher(said).find()) {
                String command = refused(said::equals).get(0);
                findings.add(Finding.error(
                        "The server refuses what the store needs (" + command + "): " + said, wayOut(said)));
            }
        }
    }

    private static String wayOut(String said) {
        if (said.contains("OOM")) {
            return "Raise maxmemory, or keep locks apart from other data.";
        }
        if (said.contains("MISCONF")) {
            return "Look into the server's log, and let it write to its disk again.";
        }
        if (said.contains("NOREPLICAS") || said.contains("Not enough good replicas")) {
            return "Bring its replicas back, or lower min-replicas-to-write.";
        }
        return "Use Redis 6.2 or newer, and check that no command was renamed.";
    }

    private List<String> refused(Predicate<String> reason) {
        return new ArrayList<>(refusals.entrySet().stream()
                .filter(entry -> reason.test(entry.getValue()))
                .map(Map.Entry::getKey)
                .toList());
    }
}
