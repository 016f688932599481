package dev.lockstep.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** An etcd cluster on the loopback interface, by Debian's program. It ends with this JVM at the latest. */
public final class EtcdCluster implements AutoCloseable {
    private static final Path DEBIAN = Path.of("/usr/bin/etcd");
    private static final String VARIABLE = "ETCD_SERVER";
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int ATTEMPTS = 3;

    private final List<EtcdMember> members;

    private EtcdCluster(List<EtcdMember> members) {
        this.members = List.copyOf(members);
    }

    /** Starts one with this many members, and waits until it works. */
    static EtcdCluster start(int size, List<String> options) {
        String program = program(DEBIAN, System.getenv());
        try {
            for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
                try {
                    return start(program, size, options);
                } catch (PortTakenException e) {
                    // Another process was faster: other ports.
                }
            }
            return start(program, size, options);
        } catch (IOException e) {
            throw new UncheckedIOException("etcd could not be started: " + e.getMessage(), e);
        }
    }

    /** Aborts the test where there is no program; that is an error where CI is set. */
    static String program(Path usual, Map<String, String> environment) {
        String named = environment.get(VARIABLE);
        if (named != null && !named.isBlank()) {
            return named;
        }
        if (!Files.isExecutable(usual)) {
            throw Platform.notTested(
                    "there is no etcd on this machine. Debian, Ubuntu: apt-get install etcd-server; or set " + VARIABLE
                            + " to the path of the program",
                    environment);
        }
        return usual.toString();
    }

    private static EtcdCluster start(String program, int size, List<String> options) throws IOException {
        List<Integer> ports = new ArrayList<>();
        while (ports.size() < size) {
            int port = FreePort.find();
            if (!ports.contains(port)) {
                ports.add(port);
            }
        }
        String all = ports.stream()
                .map(port -> "m" + port + "=" + EtcdMember.peer(port))
                .collect(Collectors.joining(","));
        List<EtcdMember> members = new ArrayList<>();
        try {
            for (int port : ports) {
                members.add(EtcdMember.of(program, "m" + port, port, all, options));
            }
            EtcdCluster cluster = new EtcdCluster(members);
            members.forEach(EtcdMember::launch);
            cluster.awaitStart();
            return cluster;
        } catch (IOException | RuntimeException | Error e) {
            members.forEach(EtcdMember::close);
            throw e;
        }
    }

    private void awaitStart() throws IOException {
        long start = System.nanoTime();
        while (!members.stream().allMatch(each -> has(each, "serving client traffic"))) {
            for (EtcdMember each : members) {
                if (has(each, "address already in use")) {
                    throw new PortTakenException(each.log());
                }
            }
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IOException("not ready after " + LIMIT.toSeconds() + " s. It logged:\n"
                        + ServerLog.lastLines(members.get(0).log()));
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static boolean has(EtcdMember member, String words) {
        return Files.exists(member.directory().resolve("server.log"))
                && member.log().contains(words);
    }

    /** All members. */
    public List<EtcdMember> members() {
        return members;
    }

    /** All members, as {@code etcd://127.0.0.1:2379,127.0.0.1:3379}. */
    public String url() {
        return url(members);
    }

    /** Some of the members. */
    public static String url(List<EtcdMember> some) {
        return some.stream().map(EtcdMember::address).collect(Collectors.joining(",", "etcd://", ""));
    }

    /** The member that leads now. */
    public EtcdMember leader() {
        EtcdMember[] leader = new EtcdMember[1];
        await("a member leads", () -> {
            for (EtcdMember each : members) {
                if (each.isRunning() && each.leads()) {
                    leader[0] = each;
                }
            }
            return leader[0] != null;
        });
        return leader[0];
    }

    /** The members that run and don't lead. */
    public List<EtcdMember> followers() {
        EtcdMember leader = leader();
        return members.stream()
                .filter(each -> each.isRunning() && each != leader)
                .toList();
    }

    /** Waits until every member that runs answers and knows of a leader. */
    public void awaitHealthy() {
        await(
                "the members that run work",
                () -> members.stream().filter(EtcdMember::isRunning).allMatch(EtcdMember::isHealthy));
    }

    private static void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > LIMIT.toNanos()) {
                throw new IllegalStateException("not after " + LIMIT.toSeconds() + " s: " + what);
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Ends all members and removes their data. */
    @Override
    public void close() {
        members.forEach(EtcdMember::close);
    }
}
