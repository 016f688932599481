package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Facts;
import dev.lockstep.core.doctor.Finding;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Judges which server it is, and its part among others. */
final class RedisServerRule {
    private static final Pattern VERSION = Pattern.compile("(\\d{1,4})\\.(\\d{1,4}).*");
    private static final List<String> LOOKALIKES = List.of("dragonfly", "keydb", "garnet", "kvrocks");

    /** The longest lease term that the namespace has recorded, in microseconds. */
    static final String LONGEST_TERM = "lockstep_longest_term";

    private final Facts facts;
    private final boolean cluster;
    private final List<Finding> findings = new ArrayList<>();

    private RedisServerRule(Facts facts, boolean cluster) {
        this.facts = facts;
        this.cluster = cluster;
    }

    /** Judges a single server; the facts are those of {@code INFO}. */
    static List<Finding> judge(Facts facts) {
        return judge(facts, false);
    }

    /** Judges a single server, or one that should be a node of a cluster. */
    static List<Finding> judge(Facts facts, boolean cluster) {
        RedisServerRule verdict = new RedisServerRule(facts, cluster);
        verdict.version();
        verdict.run();
        verdict.replicationId();
        verdict.replicationHistory();
        verdict.mode();
        verdict.role();
        return verdict.findings;
    }

    private void version() {
        String version = facts.text("redis_version");
        Matcher numbers = VERSION.matcher(version);
        String name = name();
        if (!numbers.matches()) {
            findings.add(Finding.warning(
                    "The server doesn't say which version of Redis it is (" + version + ").",
                    "Use Redis 6.2 or newer, or Valkey."));
            return;
        }
        int number = 10_000 * Integer.parseInt(numbers.group(1)) + Integer.parseInt(numbers.group(2));
        if (number < 50_000) {
            findings.add(Finding.error(
                    name + " is too old: it refuses to write in a script that has read the clock.",
                    "Use Redis 6.2 or newer."));
        } else if (number < 60_002) {
            findings.add(Finding.warning(name + " is older than what was tested.", "Use Redis 6.2 or newer."));
        } else if (LOOKALIKES.stream().anyMatch(this::isLookalike)) {
            findings.add(
                    Finding.warning(
                            name + " speaks Redis's protocol, but was not tested.",
                            "Use Redis 6.2 or newer, or make sure that its scripts are atomic, and its run_id and master_replid change with a restart."));
        } else {
            findings.add(Finding.ok("The server is " + name + "."));
        }
    }

    private boolean isLookalike(String name) {
        return !facts.text(name + "_version").isEmpty()
                || facts.text("server_name").equalsIgnoreCase(name);
    }

    private String name() {
        String compatible = facts.text("redis_version");
        for (String each : List.of("valkey", "dragonfly", "keydb", "garnet", "kvrocks")) {
            if (isLookalike(each)) {
                String own = facts.text(each + "_version");
                return each.substring(0, 1).toUpperCase(Locale.ROOT) + each.substring(1)
                        + (own.isEmpty() ? "" : " " + own) + " (as Redis " + compatible + ")";
            }
        }
        return "Redis " + compatible;
    }

    private void run() {
        if (!facts.text("run_id").matches("\\p{XDigit}+")) {
            findings.add(Finding.error(
                    "The server has no run_id, so it can't be seen that it was restarted and forgot locks.",
                    "Use Redis 6.2 or newer, without a proxy in front of it."));
        }
    }

    /** Without it a master that was a replica in between, with what it knew before, can't be recognised. */
    private void replicationId() {
        if (facts.text("master_replid2").isEmpty() && !facts.text("redis_mode").equals("sentinel")) {
            findings.add(Finding.error(
                    name()
                            + " reports no master_replid2 (INFO replication), so a failover that lost locks can't be recognised.",
                    "Use Redis 6.2 or newer, or Valkey."));
        }
    }

    /** A master without replicas clears its master_replid2 after this time; zero is never. */
    private void replicationHistory() {
        long seconds = facts.number("repl-backlog-ttl");
        long longest = (facts.number(LONGEST_TERM) + 999_999) / 1_000_000;
        if (seconds > 0 && seconds < longest) {
            findings.add(Finding.warning(
                    "repl-backlog-ttl is " + seconds + " s, shorter than the namespace's longest lease term, " + longest
                            + " s: a master that was a replica in between forgets so before the leases granted meanwhile have expired.",
                    "CONFIG SET repl-backlog-ttl 3600, Redis's default, or at least " + longest
                            + "; write it into redis.conf too."));
        }
    }

    private void mode() {
        String mode = facts.text("redis_mode");
        boolean isNode = facts.isOn("cluster_enabled") || mode.equals("cluster");
        if (isNode && !cluster) {
            findings.add(Finding.error(
                    "The server is a node of a Redis Cluster, of which it keeps only a part.",
                    "Write RedisLockStore.cluster(...), or use a separate server with cluster-enabled no."));
        } else if (cluster && !isNode) {
            findings.add(Finding.error(
                    "The server is no node of a Redis Cluster.", "Write RedisLockStore.at(...) for a single server."));
        } else if (mode.equals("sentinel")) {
            findings.add(Finding.error(
                    "This is a sentinel, which keeps no data.",
                    "Write redis-sentinel://host:26379#NAME with the master's name, or the address of the master."));
        }
    }

    private void role() {
        if (facts.text("role").matches("slave|replica")) {
            findings.add(Finding.error(
                    "The server is a replica, and what is locked there excludes nothing on the master.",
                    "Connect to the master" + master() + "."));
        } else if (facts.number("connected_slaves") > 0) {
            findings.add(Finding.warning(
                    "The server has replicas (" + facts.text("connected_slaves")
                            + "), and they get what is written later: a replica that is made master may not know the newest locks.",
                    "Know what happens then: the new master has another run_id, so no lock is granted until the longest term has"
                            + " passed. Check the lease's fencing token where you write." + minReplicas()));
        } else if (!facts.text("role").isEmpty()) {
            findings.add(Finding.ok("The server is a master without replicas."));
        }
    }

    /** Servers report the number of good replicas only if they require some. */
    private String minReplicas() {
        return facts.text("min_slaves_good_slaves").isEmpty()
                ? " Set min-replicas-to-write 1, so that a master that lost its replicas, and may have been replaced, grants nothing."
                : "";
    }

    private String master() {
        String host = facts.text("master_host");
        return host.isEmpty() ? "" : " at " + host + ":" + facts.text("master_port");
    }
}
