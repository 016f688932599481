package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.projectlock.ProjectLockEvent.Expired;
import dev.lockstep.projectlock.ProjectLockState.Idle;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("from one lease to the next")
class HandoverTest {
    private static final AcquireOptions ONCE = AcquireOptions.defaults().within(Duration.ZERO);
    private static final AcquireOptions PATIENT = AcquireOptions.defaults().within(Duration.ofMinutes(2));

    private final Machine machine = new Machine();

    @AfterEach
    void close() {
        machine.close();
    }

    @Test
    @DisplayName("a renewal that fails halfway leaves the lease to its holder, in everyone's eyes")
    void halfARenewal() {
        FailingFiles files = new FailingFiles(machine.file);
        ProjectLock holder = machine.keep(machine.builder().leaseFiles(files).term(Duration.ofMinutes(1)));
        ProjectLock other = machine.holder(Duration.ofSeconds(1));
        ProjectLease lease = holder.acquire().lease();
        files.failWrite(2);
        assertThatThrownBy(() -> holder.renew(lease, Duration.ofSeconds(1))).hasMessageContaining("No space left");
        for (int seconds = 0; seconds < 5; seconds++) {
            assertThatThrownBy(() -> other.acquire(ONCE)).hasMessageContaining("is held by");
            machine.clock.advance(Duration.ofSeconds(1));
        }
        assertThat(holder.isHeld(lease)).isTrue();
    }

    @Test
    @DisplayName("a holder that died with the platform's lock is not waited for")
    void death() {
        machine.holder().acquire();
        ProjectLock other = machine.holder();
        assertThatThrownBy(() -> other.acquire(ONCE)).isInstanceOf(ProjectLockException.class);
        machine.platform.die();
        assertThat(other.acquire(ONCE).didFallback()).isFalse();
    }

    @Test
    @DisplayName("a holder that gets expired can acquire at once")
    void acquireOnExpired(@TempDir Path project) throws Exception {
        try (ProjectLock lock =
                ProjectLock.at(project).term(Duration.ofMillis(500)).open()) {
            CompletableFuture<ProjectLease> again = new CompletableFuture<>();
            lock.subscribe(event -> {
                if (event instanceof Expired && !again.isDone()) {
                    again.completeAsync(() -> lock.acquire(PATIENT).lease(), Runnable::run);
                }
            });
            ProjectLease lease = lock.acquire(PATIENT).lease();
            assertThat(again.get(180, TimeUnit.SECONDS).token()).isGreaterThan(lease.token());
        }
    }

    @RepeatedTest(20)
    @DisplayName("what renews one lease doesn't renew the next")
    void oldWatch() throws Exception {
        ProjectLock lock = machine.holder();
        for (int i = 0; i < 10; i++) {
            lock.withLock(lease -> "done");
        }
        lock.acquire();
        machine.clock.advance(Duration.ofSeconds(6)); // a renewal would be due
        machine.clock.advance(Duration.ofSeconds(9));
        Awaitility.await().until(() -> lock.state() instanceof Idle);
    }

    @Test
    @DisplayName("an error of the JVM in the middle of a release frees the platform's lock, and the next acquire works")
    void errorInRelease() {
        BrokenFiles files = new BrokenFiles(machine.file);
        ProjectLock lock = machine.keep(machine.builder().leaseFiles(files));
        ProjectLease lease = lock.acquire().lease();
        files.broken = true;
        assertThatThrownBy(() -> lock.release(lease)).isInstanceOf(OutOfMemoryError.class);
        files.broken = false;
        assertThat(machine.platform.isHeld()).isFalse();
        assertThat(lock.acquire(ONCE).lease().token()).isGreaterThan(lease.token());
    }

    /** Files on a machine that is out of memory for a while. */
    private static final class BrokenFiles implements LeaseFiles {
        private final LeaseFiles files;
        private volatile boolean broken;

        BrokenFiles(LeaseFiles files) {
            this.files = files;
        }

        @Override
        public <T> T transact(GuardWait wait, Transaction<T> transaction) throws IOException, GuardBusyException {
            if (broken) {
                throw new OutOfMemoryError("as the test wants");
            }
            return files.transact(wait, transaction);
        }
    }
}
