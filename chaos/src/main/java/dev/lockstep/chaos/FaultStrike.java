package dev.lockstep.chaos;

import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TcpProxy;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** One stroke of a {@link FaultKind}: whom it hits, and for how long. */
final class FaultStrike {
    private static final int LONGEST_MOMENT = 200;

    private final ChaosServers stage;
    private final Random random;
    private final int server;
    private final ProcessSlot post;
    private final int slot;
    private final Duration length;
    private final long start = System.nanoTime();

    private FaultStrike(ChaosServers stage, Random random, int server, ProcessSlot post, Duration length) {
        this.stage = stage;
        this.random = random;
        this.server = server;
        this.post = post;
        this.length = length;
        List<Integer> slots = stage.setup().slots();
        slot = slots.get(random.nextInt(slots.size()));
    }

    static FaultStrike any(FaultKind fault, ChaosServers stage, Random random, Duration longest) {
        List<PrivateServer> servers = stage.servers();
        int[] fitting = IntStream.range(0, servers.size())
                .filter(i -> fault.fits(servers.get(i)))
                .toArray();
        int server = fitting[random.nextInt(fitting.length)];
        ProcessSlot post = stage.posts().get(random.nextInt(stage.posts().size()));
        long millis = longest.toMillis();
        Random own = new Random(random.nextLong()); // how often it is asked must not change what comes next
        return new FaultStrike(
                stage, own, server, post, Duration.ofMillis(millis / 10 + random.nextInt((int) (millis * 9 / 10))));
    }

    PrivateServer server() {
        return stage.servers().get(server);
    }

    /** The Redis server; in a cluster, the master of some of the locks. */
    PrivateServer redis() {
        return stage.setup().isCluster() ? stage.cluster().masterOf(slot) : server();
    }

    /** Waits until another node of the cluster has the locks of this one. */
    void awaitPromotion(PrivateServer killed) {
        stage.cluster().awaitPromotion(slot, killed);
    }

    /** Moves some of the locks to the master of others, if that is another one. */
    void moveSlot() {
        List<Integer> slots = stage.setup().slots();
        PrivateServer to = stage.cluster().masterOf(slots.get(random.nextInt(slots.size())));
        if (to != redis()) {
            stage.cluster().moveSlot(slot, to);
        }
    }

    ProcessSlot post() {
        return post;
    }

    /** The process that works at the post now. */
    String process() {
        return post.name();
    }

    TcpProxy line() {
        return post.line(server);
    }

    Duration length() {
        return length;
    }

    /** Whom it hits, for people. */
    String target() {
        String where = stage.setup().isCluster() ? "-" + server + "/slot-" + slot : "";
        return server().kind() + where + "/" + process();
    }

    /** Does what ends connections to the server: those of one process, or with "*" all of them. */
    void breaking(String process, Runnable action) {
        stage.breaking(server, process, action);
    }

    void note(String verb) {
        stage.history().now(verb, "process", process());
    }

    /** Lets what was delayed arrive now, or breaks the line so that it never does. */
    void thawLateOrNever() {
        if (random.nextBoolean()) {
            breaking(process(), line()::cut);
        }
        line().thaw();
    }

    void killAll() {
        for (int i = 0; i < stage.servers().size(); i++) {
            stage.breaking(i, "*", stage.servers().get(i)::kill);
        }
    }

    void restartAll() {
        stage.servers().forEach(PrivateServer::restart);
    }

    void split() {
        for (ProcessSlot each : stage.posts()) {
            int lost = each == post ? 1 : 0;
            each.line(lost).refuse();
            stage.breaking(lost, each.name(), each.line(lost)::cut);
        }
    }

    void mend() {
        stage.posts().forEach(each -> each.line(each == post ? 1 : 0).accept());
    }

    // ---- time

    void last() {
        pause(length);
    }

    void lastLongerThan(Duration time) {
        pause(time.plus(length));
    }

    void moment() {
        pause(Duration.ofMillis(20 + random.nextInt(LONGEST_MOMENT)));
    }

    boolean isOver() {
        return System.nanoTime() - start >= length.toNanos();
    }

    /** How long a fault lasts is part of it. */
    static void pause(Duration time) {
        try {
            Thread.sleep(time.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("The run was interrupted", e);
        }
    }
}
