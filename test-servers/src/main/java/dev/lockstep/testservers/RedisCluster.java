package dev.lockstep.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A Redis cluster of three masters with a replica each. Its nodes are servers that a test may kill, pause and restart; they end with this
 * JVM at the latest.
 */
public final class RedisCluster implements AutoCloseable {
    private static final int MASTERS = 3;
    private static final int SLOTS = 16_384;
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    private final List<PrivateServer> nodes;

    private RedisCluster(List<PrivateServer> nodes) {
        this.nodes = nodes;
    }

    /** Starts one in which a silent master is given up after this time. On a busy machine a short one does so without need. */
    static RedisCluster start(Duration nodeTimeout) {
        List<PrivateServer> nodes = new ArrayList<>();
        RedisCluster cluster = new RedisCluster(nodes);
        try {
            for (int i = 0; i < 2 * MASTERS; i++) {
                nodes.add(TestServers.startRedis(options(nodeTimeout)));
            }
            cluster.form();
            return cluster;
        } catch (RuntimeException | Error e) {
            cluster.close();
            throw e;
        }
    }

    private static String[] options(Duration nodeTimeout) {
        return new String[] {
            "--cluster-enabled", "yes",
            "--cluster-node-timeout", Long.toString(nodeTimeout.toMillis()),
            "--cluster-replica-validity-factor", "0",
            "--repl-diskless-sync", "yes",
            "--repl-diskless-sync-delay", "0",
            "--appendonly", "no"
        };
    }

    /**
     * Each node gets its own epoch first. Those without one would choose new ones while they meet, and a replica that has missed the choice when its
     * master fails is never elected.
     */
    private void form() {
        for (int i = 0; i < nodes.size(); i++) {
            ask(nodes.get(i), "CLUSTER", "SET-CONFIG-EPOCH", Integer.toString(i + 1));
        }
        for (int i = 0; i < MASTERS; i++) {
            int from = i * SLOTS / MASTERS;
            int to = (i + 1) * SLOTS / MASTERS;
            ask(
                    nodes.get(i),
                    Stream.concat(
                                    Stream.of("CLUSTER", "ADDSLOTS"),
                                    IntStream.range(from, to).mapToObj(Integer::toString))
                            .toArray(String[]::new));
        }
        PrivateServer first = nodes.get(0);
        nodes.forEach(node -> ask(node, "CLUSTER", "MEET", first.host(), Integer.toString(first.port())));
        await(
                "all nodes know each other",
                () -> nodes.stream().allMatch(node -> view(node).size() == nodes.size()));
        for (int i = 0; i < MASTERS; i++) {
            replicate(nodes.get(MASTERS + i), id(nodes.get(i)));
        }
        awaitOk();
        await(
                "all nodes know the same epochs",
                () -> nodes.stream()
                                .map(RedisCluster::epochsOfMasters)
                                .distinct()
                                .count()
                        == 1);
    }

    /** By the ids of the masters, as one node sees them: the seventh word of each line. */
    private static Map<String, String> epochsOfMasters(PrivateServer node) {
        return ask(node, "CLUSTER", "NODES")
                .lines()
                .map(line -> line.split(" "))
                .filter(words -> words.length > 6 && words[2].contains("master"))
                .collect(Collectors.toMap(words -> words[0], words -> words[6]));
    }

    /** A node that has just been met may not be known as a master yet. */
    private void replicate(PrivateServer replica, String master) {
        await("a replica follows its master", () -> "OK".equals(ask(replica, "CLUSTER", "REPLICATE", master)));
    }

    // ---- what it is

    /** All nodes: at first three masters, and then their replicas in the same order. */
    public List<PrivateServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The addresses of all nodes, as {@code redis://127.0.0.1:6379}. */
    public List<String> urls() {
        return nodes.stream()
                .map(node -> "redis://" + node.host() + ":" + node.port())
                .toList();
    }

    /** The node that has a slot now. */
    public PrivateServer masterOf(int slot) {
        return running()
                .flatMap(node -> owner(slot, node).stream())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("No node has slot " + slot));
    }

    /** The node that has a slot, as one of them sees it. */
    private Optional<PrivateServer> owner(int slot, PrivateServer seenBy) {
        return view(seenBy).stream()
                .filter(each -> each.isWorkingMaster() && each.has(slot))
                .flatMap(each -> nodes.stream().filter(node -> node.port() == each.port()))
                .findFirst();
    }

    private Stream<PrivateServer> running() {
        return nodes.stream().filter(PrivateServer::isRunning);
    }

    // ---- what happens to it

    /** Waits until every node that runs says that the cluster works, and every replica has its master's data. */
    public void awaitOk() {
        await(
                "the cluster works",
                () -> running()
                        .allMatch(node -> ask(node, "CLUSTER", "INFO").contains("cluster_state:ok") && isInStep(node)));
    }

    private static boolean isInStep(PrivateServer node) {
        String replication = ask(node, "INFO", "replication");
        return replication.contains("role:master") || replication.contains("master_link_status:up");
    }

    /** Waits until all nodes that run know of another one that has taken a slot over from this one; answers that node. */
    public PrivateServer awaitPromotion(int slot, PrivateServer from) {
        await(
                "another node takes slot " + slot + " over",
                () -> running()
                        .allMatch(node ->
                                owner(slot, node).filter(owner -> owner != from).isPresent()));
        return masterOf(slot);
    }

    /** Moves a slot with its keys to another master, as an administrator does who spreads them anew. */
    public void moveSlot(int slot, PrivateServer to) {
        beginMove(slot, to);
        endMove(slot, to);
    }

    /** The first half: from now on keys are on their way, and those that are missing are asked for elsewhere. */
    public void beginMove(int slot, PrivateServer to) {
        PrivateServer from = masterOf(slot);
        ask(to, "CLUSTER", "SETSLOT", Integer.toString(slot), "IMPORTING", id(from));
        ask(from, "CLUSTER", "SETSLOT", Integer.toString(slot), "MIGRATING", id(to));
    }

    /** The second half: moves the keys, and sets the slot's owner on all masters. */
    public void endMove(int slot, PrivateServer to) {
        PrivateServer from = masterOf(slot);
        await("slot " + slot + " is empty", () -> moveKeys(slot, from, to));
        String owner = id(to);
        ask(to, "CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", owner);
        ask(from, "CLUSTER", "SETSLOT", Integer.toString(slot), "NODE", owner);
        await(
                "all know the owner of slot " + slot,
                () -> running().allMatch(node -> owner(slot, node).equals(Optional.of(to))));
    }

    private static boolean moveKeys(int slot, PrivateServer from, PrivateServer to) {
        List<String> keys = keys(slot, from);
        for (String key : keys) {
            ask(from, "MIGRATE", to.host(), Integer.toString(to.port()), key, "0", "10000");
        }
        return keys.isEmpty();
    }

    private static List<String> keys(int slot, PrivateServer node) {
        try {
            Object keys = RedisConnection.ask(node, "CLUSTER", "GETKEYSINSLOT", Integer.toString(slot), "1000");
            return ((List<?>) keys).stream().map(String::valueOf).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- asking the nodes

    /** All nodes as one of them sees them. */
    private static List<ClusterNode> view(PrivateServer node) {
        return ClusterNode.readAll(ask(node, "CLUSTER", "NODES"));
    }

    private static String id(PrivateServer node) {
        return ask(node, "CLUSTER", "MYID");
    }

    private static String ask(PrivateServer node, String... words) {
        try {
            return String.valueOf(RedisConnection.ask(node, words));
        } catch (IOException e) {
            throw new UncheckedIOException("port " + node.port() + ": " + e.getMessage(), e);
        }
    }

    /** What each node reports about the cluster, for the message of a failure. */
    private String views() {
        return running()
                .map(node -> "\nNode " + node.port() + ":\n" + viewOrError(node))
                .collect(Collectors.joining());
    }

    private static String viewOrError(PrivateServer node) {
        try {
            return ask(node, "CLUSTER", "INFO") + ask(node, "CLUSTER", "NODES");
        } catch (UncheckedIOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private interface Condition {
        boolean holds();
    }

    private void await(String what, Condition condition) {
        long start = System.nanoTime();
        while (true) {
            @Nullable RuntimeException failure = null;
            try {
                if (condition.holds()) {
                    return;
                }
            } catch (UncheckedIOException e) { // a node may be about to start, or to know of the others
                failure = e;
            }
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("not after " + LIMIT.toSeconds() + " s: " + what + views(), failure);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Ends all nodes and removes their data. */
    @Override
    public void close() {
        nodes.forEach(PrivateServer::close);
    }
}
