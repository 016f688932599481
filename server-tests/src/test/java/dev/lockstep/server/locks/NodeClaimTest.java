package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.locks.keys.OpenKeys;
import dev.lockstep.server.locks.restart.GrantGate;
import dev.lockstep.spring.LockstepStartException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

@Tag("once")
class NodeClaimTest {
    private static final LockException UNREACHABLE =
            new LockException(ErrorCode.STORE_UNAVAILABLE, "Unreachable, as the test asked.", List.of(), null);

    private final Redis store = new Redis(MemoryStore.create());
    private final GrantGate gate = new GrantGate(LockClock.system(), Duration.ZERO);
    private final NodeClaim claim = claim(store, gate);

    /** Called redis, for which names are claimed. While it fails it forgets the leases that are to be renewed, as after a restart. */
    private static final class Redis extends StoreAround {
        private final LockStore memory;
        private final AtomicInteger requests = new AtomicInteger();
        private volatile @Nullable RuntimeException failure;

        Redis(LockStore memory) {
            super(memory);
            this.memory = memory;
        }

        @Override
        public String name() {
            return "redis";
        }

        private void pass() {
            requests.incrementAndGet();
            RuntimeException now = failure;
            if (now != null) {
                throw now;
            }
        }

        @Override
        public void declare(List<KindDefinition> kinds) {
            pass();
            memory.declare(kinds);
        }

        @Override
        public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
            pass();
            return memory.acquire(request);
        }

        @Override
        public List<StoreGrant> renew(List<Renewal> renewals) {
            if (failure != null) {
                renewals.forEach(each -> memory.release(each.grant()));
            }
            return memory.renew(renewals);
        }

        @Override
        public boolean release(StoreGrant grant) {
            return memory.release(grant);
        }
    }

    private static NodeClaim claim(LockStore store, GrantGate gate) {
        ServerProperties properties = new Binder(
                        new MapConfigurationPropertySource(Map.of("lockstep.server.node", "a")))
                .bindOrCreate("lockstep.server", ServerProperties.class);
        var beans = new StaticListableBeanFactory(Map.of("store", store));
        return new NodeClaim(beans.getBeanProvider(LockStore.class), properties, new Node(properties), gate);
    }

    @AfterEach
    void stop() {
        claim.stop();
        store.close();
    }

    private void awaitOpen(boolean open) {
        await().atMost(Duration.ofMinutes(2)).until(() -> isOpen() == open);
    }

    private boolean isOpen() {
        try {
            gate.requireOpen();
            return true;
        } catch (RuntimeException e) {
            return false;
        }
    }

    @Test
    void nothingIsGrantedUntilTheNameIsHeldHoweverTheStoreFailsMeanwhile() {
        store.failure = UNREACHABLE;
        claim.start();
        assertThatThrownBy(gate::requireOpen).hasMessageContaining("store-unavailable");
        int before = store.requests.get();
        store.failure = new IllegalStateException("No LockException, as the test asked");
        await().atMost(Duration.ofMinutes(2)).until(() -> store.requests.get() > before);
        assertThat(isOpen()).isFalse();
        store.failure = null;
        awaitOpen(true);
    }

    @Test
    void nothingIsGrantedAfterTheNameWasLostUntilItIsHeldAgain() {
        claim.start();
        assertThat(isOpen()).isTrue();
        store.failure = UNREACHABLE;
        awaitOpen(false);
        store.failure = null;
        awaitOpen(true);
        try (Locks others = Locks.builder(store).leaveStoreOpen().build()) {
            assertThat(others.snapshot().holders()).as("the name is held again").hasSize(1);
        }
    }

    @Test
    void aStoreThatKnowsTheKindOtherwiseRefusesTheStart() {
        store.declare(Kinds.of(LockKind.of(NodeClaim.PREFIX, 3)).definitions());
        assertThatThrownBy(claim::start)
                .isInstanceOf(LockstepStartException.class)
                .hasMessageContaining("'lockstep-server' is reserved")
                .hasMessageContaining("lockstep.namespace");
    }

    @Test
    void noClientLocksTheNameOfAServer() {
        OpenKeys open = new OpenKeys();
        for (String key : List.of("lockstep-server:a", "shop:1/lockstep-server:a", "lockstep-server:a/part:1")) {
            assertThatThrownBy(() -> open.parse(key))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessageContaining("reserved for the names of servers");
            assertThatThrownBy(() -> open.parseOnly(key)).isInstanceOf(InvalidRequestException.class);
        }
        assertThat(open.definitions()).isEmpty();
    }

    @Test
    void aConfiguredKindOfThatNameIsRefusedBeforeTheStoreRecordsIt() {
        LocksSetup setup = new LocksSetup();
        assertThatThrownBy(() -> setup.serverNamesAreNoKind(Kinds.of(LockKind.of(NodeClaim.PREFIX, 3)))
                        .customize(Locks.builder(store)))
                .isInstanceOf(LockstepStartException.class)
                .hasMessageContaining("'lockstep-server' is reserved");
        assertThatCode(() -> setup.serverNamesAreNoKind(Kinds.of(LockKind.of("shop", 3)))
                        .customize(Locks.builder(store)))
                .doesNotThrowAnyException();
    }
}
