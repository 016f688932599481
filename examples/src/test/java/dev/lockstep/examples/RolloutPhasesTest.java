package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.examples.RolloutLocks.Held;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.redisson.api.RLock;
import org.redisson.api.RedissonClient;

/** A rollout under load: processes go over from Redisson to both, and when no old one is left, from both to Lockstep. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(600)
class RolloutPhasesTest {
    private static final LockKey A = CHARACTER.key("A");
    private static final LockKey B = EQUIPMENT.key("B");
    private static final int PROCESSES = 3;
    private static final int TURNS = Scale.pick(4, 15);

    private final String namespace = RedisPlaces.newNamespace();
    private final AtomicLong tokens = new AtomicLong();

    private enum Code {
        OLD,
        BOTH,
        NEW
    }

    /** What one process does, in the version of the code that it runs. */
    private final class Worker implements AutoCloseable {
        private final ExclusionChecker checker;
        private final RedissonClient redisson = RedisPlaces.redisson();
        private final Locks locks = Locks.builder(RedisPlaces.store(namespace))
                .defaultTerm(Duration.ofSeconds(30))
                .defaultWait(Duration.ofSeconds(60))
                .build();
        private final RolloutLocks rollout =
                new RolloutLocks(locks, Duration.ofSeconds(60), key -> redisson.getLock(name(key)));
        private final AtomicInteger turns = new AtomicInteger();
        private volatile Code code = Code.OLD;
        private volatile boolean stopped;
        private final CompletableFuture<Void> end;

        Worker(ExclusionChecker checker) {
            this.checker = checker;
            end = CompletableFuture.runAsync(this::work, task -> new Thread(task).start());
        }

        private String name(LockKey key) {
            return namespace + key;
        }

        private void work() {
            while (!stopped) {
                switch (code) {
                    case OLD -> old();
                    case BOTH -> {
                        try (Held held = rollout.acquire(exclusive(B, A))) {
                            change();
                            held.ensureHeld();
                        }
                    }
                    case NEW -> locks.run(exclusive(B, A), lease -> change());
                }
                Backstage.pause(Duration.ofMillis(2));
            }
        }

        private void old() {
            RLock both = redisson.getMultiLock(redisson.getLock(name(A)), redisson.getLock(name(B)));
            both.lock();
            try {
                change();
            } finally {
                both.unlock();
            }
        }

        private void change() {
            FencingToken token = new FencingToken(0, tokens.incrementAndGet());
            checker.exclusive(A, token, toString());
            checker.exclusive(B, token, toString());
            turns.incrementAndGet();
        }

        /** Restarts with other code. */
        void becomes(Code next) {
            code = next;
        }

        void awaitTurns() {
            int now = turns.get();
            while (turns.get() < now + TURNS && !end.isDone()) {
                Backstage.pause(Duration.ofMillis(5));
            }
        }

        @Override
        public void close() {
            stopped = true;
            end.join();
            locks.close();
            redisson.shutdown();
        }
    }

    private static void allWork(List<Worker> workers) {
        workers.forEach(Worker::awaitTurns);
    }

    @Test
    @DisplayName("in a rollout of three phases there are never two holders")
    void phases(@TempDir Path directory) {
        List<Worker> workers = new ArrayList<>();
        try (ExclusionChecker checker = ExclusionChecker.in(directory)) {
            try {
                for (int i = 0; i < PROCESSES; i++) {
                    workers.add(new Worker(checker));
                }
                allWork(workers); // phase 1: old code everywhere
                for (Worker worker : workers) { // phase 2: one after the other takes both
                    worker.becomes(Code.BOTH);
                    allWork(workers);
                }
                for (Worker worker :
                        workers) { // phase 3: no old code is left, one after the other takes Lockstep's alone
                    worker.becomes(Code.NEW);
                    allWork(workers);
                }
            } finally {
                workers.forEach(Worker::close);
            }
            assertThat(checker.verify().sections())
                    .isGreaterThanOrEqualTo(2L * TURNS * PROCESSES * (1 + 2 * PROCESSES));
        }
    }
}
