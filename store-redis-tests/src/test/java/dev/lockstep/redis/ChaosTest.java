package dev.lockstep.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testkit.ExclusionReport;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import dev.lockstep.testservers.TestServers;
import dev.lockstep.testservers.UsesServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Several processes lock what they need while the server and the network suffer all that they can suffer. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class ChaosTest {
    private static final int PROCESSES = 3;

    /** How many sections each must get through after the last fault. */
    private static final int WORK = 20;

    private static final Duration LONGEST = Duration.ofMillis(800);
    private static final Duration TERM = Duration.ofMillis(500);

    private final Duration time = Duration.ofSeconds(Scale.pick(10, 300));
    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);

    @Test
    @Timeout(900)
    void nothingIsHeldTwiceWhateverHappens(@TempDir Path directory) throws Exception {
        long seed = System.nanoTime();
        try (PrivateServer server = TestServers.startRedis("--appendonly", "no");
                TcpProxy network = TcpProxy.to(server);
                ExclusionChecker checker = ExclusionChecker.in(directory)) {
            Realm realm = Realm.on(server, LONGEST, TERM).create();
            List<ChildJvm> workers = new ArrayList<>();
            try {
                for (int i = 0; i < PROCESSES; i++) {
                    workers.add(ChaosWorker.start(realm.at(server.url(network)), directory, seed + 1_000 * i));
                }
                for (ChildJvm worker : workers) {
                    assertThat(worker.ask("begin")).isEqualTo("begun");
                }
                torment(server, network, realm, new Random(seed));
                for (ChildJvm worker : workers) {
                    awaitWork(worker);
                }
                List<String> answers = new ArrayList<>();
                for (ChildJvm worker : workers) {
                    answers.add(worker.ask("end"));
                    assertThat(answers).as("seed %d", seed).last().asString().startsWith("granted=");
                }
                ExclusionReport report = checker.report();
                System.out.println("Chaos: " + ChaosWorker.sum(answers) + ", faults " + faults + ", " + report);
                assertThat(report.isClean()).as("seed %d: %s", seed, report).isTrue();
                assertThat(report.sections()).isGreaterThanOrEqualTo(PROCESSES * WORK);
            } finally {
                workers.forEach(ChildJvm::close);
            }
            assertAllKeysAreFreeAgain(realm);
        }
    }

    private void torment(PrivateServer server, TcpProxy network, Realm realm, Random random) {
        long end = System.nanoTime() + time.toNanos();
        List<Fault> next = new ArrayList<>();
        while (System.nanoTime() - end < 0 || faults.size() < Fault.values().length) {
            Fault.await(Duration.ofMillis(200 + random.nextInt(1_300)));
            if (next.isEmpty()) {
                next.addAll(List.of(Fault.values()));
            }
            Fault fault = next.remove(random.nextInt(next.size()));
            fault.strike(server, network, realm, Duration.ofMillis(50 + random.nextInt(1_200)));
            faults.merge(fault, 1, Integer::sum);
        }
    }

    /** Whatever happened, it gets locks afterwards. */
    private static void awaitWork(ChildJvm worker) throws IOException {
        long before = sections(worker);
        await().atMost(Duration.ofMinutes(2)).until(() -> sections(worker) >= before + WORK);
    }

    private static long sections(ChildJvm worker) throws IOException {
        return Long.parseLong(worker.ask("sections"));
    }

    private static void assertAllKeysAreFreeAgain(Realm realm) {
        LockRequest all = LockRequest.exclusive(Tenancy.user("u1"), Tenancy.user("u2"));
        try (Locks locks = realm.locks()) {
            await().atMost(Duration.ofMinutes(2)).until(() -> isGranted(locks, all));
        }
    }

    /** Terms are so short here that a lease may have ended before anyone looks at it. */
    private static boolean isGranted(Locks locks, LockRequest request) {
        try (Lease lease = locks.acquire(request)) {
            return lease.isHeld();
        } catch (LockException e) {
            assertThat(e.code()).as("%s", e).isEqualTo(ErrorCode.LEASE_LOST);
            return false;
        }
    }
}
