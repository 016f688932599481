package dev.lockstep.etcd;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.EtcdCluster;
import dev.lockstep.testservers.EtcdMember;
import dev.lockstep.testservers.TestServers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Members of a cluster fail while two parties lock: no two hold at a time, tokens rise, and no request waits forever. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
class FaultTest {
    private static final Duration TERM = Duration.ofSeconds(4);
    private static final int WORKERS = 6;

    private final AtomicInteger granted = new AtomicInteger();
    private volatile boolean stopped;

    @Test
    @DisplayName(
            "the leader is killed, the leader stands still past every lease, a majority stands still, all are restarted")
    void membersFail(@TempDir Path directory) throws InterruptedException {
        try (EtcdCluster cluster = TestServers.startEtcd(3);
                ExclusionChecker checker = ExclusionChecker.in(directory)) {
            Realm realm = Realm.on(cluster.url()).terms(Duration.ofSeconds(10), TERM);
            try (Locks one = locks(realm);
                    Locks two = locks(realm)) {
                List<Thread> workers = start(checker, one, two);
                awaitGrants(20);
                EtcdMember leader = cluster.leader();
                leader.kill();
                awaitGrants(20);
                leader.restart();
                cluster.awaitHealthy();
                EtcdMember second = cluster.leader();
                second.pause();
                pass(TERM.multipliedBy(2));
                awaitGrants(20);
                continueOrRestart(second);
                List<EtcdMember> majority = cluster.members().subList(0, 2);
                majority.forEach(EtcdMember::pause);
                pass(TERM.multipliedBy(2));
                majority.forEach(EtcdMember::resume);
                awaitGrants(20);
                cluster.members().forEach(EtcdMember::kill);
                cluster.members().forEach(EtcdMember::restart);
                awaitGrants(20);
                stopped = true;
                for (Thread each : workers) {
                    each.join(Duration.ofMinutes(2).toMillis());
                    assertThat(each.isAlive())
                            .as("%s waits forever", each.getName())
                            .isFalse();
                }
                await().untilAsserted(() -> assertThat(one.snapshot().isEmpty()).isTrue());
            }
            checker.verify();
        }
    }

    /**
     * A leader that was stopped revokes leases in versions before 3.4.31 and 3.5.13 that another one has extended. No client can prevent that,
     * and the doctor warns of it. There it is killed and restarted instead.
     */
    private static void continueOrRestart(EtcdMember stopped) {
        if (EtcdVersion.parse(stopped.version()).orElseThrow().isBelow(31, 13)) {
            stopped.restart();
        } else {
            stopped.resume();
        }
    }

    private static Locks locks(Realm realm) {
        return Locks.builder(realm.store(Duration.ofSeconds(2)))
                .defaultTerm(TERM)
                .defaultWait(Duration.ofSeconds(20))
                .build();
    }

    private List<Thread> start(ExclusionChecker checker, Locks... parties) {
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < WORKERS; i++) {
            Locks party = parties[i % parties.length];
            Thread worker = new Thread(() -> work(checker, party), "worker " + i);
            worker.start();
            workers.add(worker);
        }
        return workers;
    }

    private void work(ExclusionChecker checker, Locks locks) {
        while (!stopped) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            LockKey key = Tenancy.resource("u1", "a" + random.nextInt(2), "r" + random.nextInt(2));
            boolean alone = random.nextInt(3) > 0;
            LockRequest request = alone ? exclusive(key) : shared(key);
            try (Lease lease = locks.acquire(request)) {
                if (checker.whileHeld(key, alone, lease, () -> LockSupport.parkNanos(2_000_000))) {
                    granted.incrementAndGet();
                }
            } catch (LockException e) {
                assertThat(e.retryable()).as(e.toString()).isTrue();
            }
        }
    }

    /** Whatever fails: a majority works again, and so locks are granted. */
    private void awaitGrants(int more) {
        int before = granted.get();
        await().atMost(Duration.ofMinutes(3)).until(() -> granted.get() >= before + more);
    }

    /** How long a fault lasts is part of it. */
    private static void pass(Duration time) throws InterruptedException {
        Thread.sleep(time.toMillis());
    }
}
