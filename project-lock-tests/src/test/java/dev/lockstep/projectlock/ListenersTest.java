package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.projectlock.ProjectLockEvent.Released;
import dev.lockstep.testkit.EventProbe;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("listeners of a project lock")
class ListenersTest {
    private final Machine machine = new Machine();
    private final ProjectLock lock = machine.holder();
    private final EventProbe probe = new EventProbe();

    @AfterEach
    void close() {
        machine.close();
    }

    private void acquireRenewRelease() {
        lock.release(lock.renew(lock.acquire().lease()));
    }

    @Test
    @DisplayName("hear everything, in order")
    void order() {
        lock.subscribe(probe);
        acquireRenewRelease();
        probe.awaitProject(Released.class);
        assertThat(probe.projectEventTypes()).containsExactly("acquired", "renewed", "released");
    }

    @Test
    @DisplayName("that throw harm neither the lock nor other listeners, and hear what comes next")
    void throwing() {
        AtomicInteger heard = new AtomicInteger();
        lock.subscribe(event -> {
            heard.incrementAndGet();
            throw new IllegalStateException("as the test wants");
        });
        lock.subscribe(probe);
        acquireRenewRelease();
        probe.awaitProject(Released.class);
        Awaitility.await().until(() -> heard.get() == 3);
    }

    @Test
    @DisplayName("that block harm neither the lock nor other listeners")
    void blocking() {
        CountDownLatch end = new CountDownLatch(1);
        lock.subscribe(event -> {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        lock.subscribe(probe);
        acquireRenewRelease();
        probe.awaitProject(Released.class);
        lock.close();
        end.countDown();
    }

    @Test
    @DisplayName("may use the lock themselves")
    void calling() {
        lock.subscribe(event -> {
            if (event instanceof ProjectLockEvent.Acquired acquired) {
                lock.release(acquired.lease());
            }
        });
        lock.subscribe(probe);
        lock.acquire();
        probe.awaitProject(Released.class);
    }

    @Test
    @DisplayName("that unsubscribed hear nothing more, and others still do")
    void unsubscribed() {
        EventProbe other = new EventProbe();
        Locks.Subscription subscription = lock.subscribe(probe);
        lock.subscribe(other);
        ProjectLease lease = lock.acquire().lease();
        probe.awaitProject(ProjectLockEvent.Acquired.class);
        subscription.close();
        subscription.close();
        machine.clock.advance(Duration.ofSeconds(1));
        lock.release(lease);
        other.awaitProject(Released.class);
        assertThat(probe.projectEventTypes()).containsExactly("acquired");
    }
}
