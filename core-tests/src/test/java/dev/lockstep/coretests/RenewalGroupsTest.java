package dev.lockstep.coretests;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Loss;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testkit.FakeClock;
import dev.lockstep.testkit.Tenancy;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A store of several servers, of which one doesn't answer. */
@Timeout(300)
class RenewalGroupsTest {
    private final FakeClock clock = new FakeClock();
    private final MemoryStore memory = MemoryStore.on(clock);
    private final EventProbe probe = new EventProbe();
    private final List<StoreGrant> grants = new CopyOnWriteArrayList<>();
    private final CountDownLatch answers = new CountDownLatch(1);

    /** Each grant is on a server of its own; the first one's is silent. */
    private final LockStore store = (LockStore) Proxy.newProxyInstance(
            LockStore.class.getClassLoader(), new Class<?>[] {LockStore.class}, (proxy, method, arguments) -> {
                if (method.getName().equals("renewedWith")) {
                    return arguments[0];
                }
                if (method.getName().equals("renew") && concernsFirst((List<?>) arguments[0])) {
                    answers.await(5, TimeUnit.MINUTES);
                }
                try {
                    Object answer = method.invoke(memory, arguments);
                    return answer instanceof CompletableFuture<?> future ? future.thenApply(this::noted) : answer;
                } catch (InvocationTargetException e) {
                    throw e.getCause();
                }
            });

    private Object noted(Object answer) {
        grants.add((StoreGrant) answer);
        return answer;
    }

    private boolean concernsFirst(List<?> renewals) {
        return renewals.stream().anyMatch(each -> ((Renewal) each).grant() == grants.get(0));
    }

    @Test
    void aServerThatIsSilentCostsNoLeaseOfAnother() {
        try (Locks locks = Locks.builder(store).listener(probe).build()) {
            Lease first = locks.acquireAsync(exclusive(Tenancy.user("u1"))).join();
            Lease second = locks.acquireAsync(exclusive(Tenancy.user("u2"))).join();
            for (int renewals = 1; renewals <= 4; renewals++) {
                clock.advance(Duration.ofMillis(3_400));
                probe.awaitCount(LockEvent.Renewed.class, renewals);
            }
            assertThat(LeaseStage.reasonOf(first)).isEqualTo(Loss.Reason.UNCONFIRMED);
            assertThat(second.isHeld()).isTrue();
            answers.countDown();
            assertThat(second.release()).isEqualTo(ReleaseOutcome.RELEASED);
        }
    }
}
