package dev.lockstep.spring.locked;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.Busy;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LeaseLostException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.spring.Locked;
import dev.lockstep.testkit.FaultyStore;
import dev.lockstep.testkit.Tenancy;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aop.support.AopUtils;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Locked methods that end when they return, outside of transactions. */
@Tag("once")
class LockedMethodTest {
    private static final LockKey ACCOUNT = Tenancy.account("u1", "a1");

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    @BeforeEach
    void start() {
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("test", Map.of("wait", "30ms")));
        context.register(MemoryLocks.class, Service.class, Whole.class, Plain.class, Outer.class);
        context.refresh();
    }

    @AfterEach
    void end() {
        context.close();
    }

    static class Service {
        @Locked("user:#{#u}/account:#{#a}")
        public void exclusively(String u, String a, Runnable work) {
            work.run();
        }

        @Locked(shared = "user:#{#u}")
        void sharing(String u, Runnable work) {
            work.run();
        }

        @OneUser
        protected String composed(String user, Runnable work) {
            work.run();
            return user;
        }

        @Locked(value = "user:#{#u}", within = "${wait}")
        public void briefly(String u) {}

        @Locked("user:u1")
        public Object anything(Object value) {
            return value;
        }
    }

    @Locked("user:#{#user}")
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface OneUser {}

    @Locked("user:whole")
    static class Whole {
        public void open(Runnable work) {
            work.run();
        }

        @Locked("user:other")
        public void own(Runnable work) {
            work.run();
        }

        void inside(Runnable work) {
            work.run();
        }
    }

    interface Port {
        @Locked("user:#{#id}")
        void use(String id, Runnable work);
    }

    static final class Plain implements Port {
        @Override
        public void use(String id, Runnable work) {
            work.run();
        }
    }

    static class Outer {
        @Locked("user:#{#u}")
        public void around(String u, Runnable work) {
            work.run();
        }
    }

    private Locks locks() {
        return context.getBean(Locks.class);
    }

    private Service service() {
        return context.getBean(Service.class);
    }

    private boolean isFree(LockRequest request) {
        return Elsewhere.isFree(locks(), request);
    }

    private void assertBusy(LockKey key) {
        assertThat(isFree(exclusive(key))).isFalse();
    }

    private void assertFree(LockKey key) {
        assertThat(isFree(exclusive(key))).isTrue();
    }

    @Test
    void theLocksAreHeldAroundTheMethodAndNotAfterIt() {
        service().exclusively("u1", "a1", () -> {
            assertBusy(ACCOUNT);
            assertBusy(Tenancy.user("u1"));
            assertFree(Tenancy.account("u1", "a2"));
        });
        assertFree(Tenancy.user("u1"));
        assertThat(locks().snapshot().holders()).isEmpty();
    }

    @Test
    void anExceptionReleasesThemAndPropagatesUnchanged() {
        IllegalStateException failure = new IllegalStateException("no");
        assertThatThrownBy(() -> service().exclusively("u1", "a1", () -> {
                    throw failure;
                }))
                .isSameAs(failure);
        assertFree(ACCOUNT);
    }

    @Test
    void sharedLocksShare() {
        service().sharing("u1", () -> {
            assertThat(isFree(shared(Tenancy.user("u1")))).isTrue();
            assertBusy(Tenancy.user("u1"));
        });
    }

    @Test
    void aComposedAnnotationWorksAndSoDoMethodsThatAreNotPublic() {
        assertThat(service().composed("u1", () -> assertBusy(Tenancy.user("u1"))))
                .isEqualTo("u1");
    }

    @Test
    void theAnnotationOfAClassGoesForItsPublicMethodsUnlessTheyHaveTheirOwn() {
        Whole whole = context.getBean(Whole.class);
        whole.open(() -> assertBusy(Tenancy.user("whole")));
        whole.own(() -> {
            assertBusy(Tenancy.user("other"));
            assertFree(Tenancy.user("whole"));
        });
        whole.inside(() -> assertFree(Tenancy.user("whole")));
    }

    @Test
    void aFinalClassIsLockedThroughItsInterface() {
        Port port = context.getBean(Port.class);
        assertThat(AopUtils.isJdkDynamicProxy(port)).isTrue();
        port.use("u1", () -> assertBusy(Tenancy.user("u1")));
    }

    @Test
    void aWaitThatEndsIsATimeoutAndTheWaitCanBeAProperty() {
        try (Lease lease = otherHolder(Tenancy.user("u1"))) {
            assertThat(lease.isHeld()).isTrue();
            assertThatThrownBy(() -> service().briefly("u1"))
                    .isInstanceOf(LockTimeoutException.class)
                    .hasMessageContaining("No lock on [user:u1] after ");
        }
        service().briefly("u1");
    }

    private Lease otherHolder(LockKey key) {
        return locks().acquireAsync(exclusive(key)).join();
    }

    @Test
    void aWaiterLearnsTheMethodThatHolds() {
        service()
                .exclusively(
                        "u1",
                        "a1",
                        () -> CompletableFuture.runAsync(() -> assertThat(locks().tryAcquire(exclusive(ACCOUNT)))
                                        .isInstanceOfSatisfying(
                                                Busy.class,
                                                busy -> assertThat(busy.toString())
                                                        .contains("Service.exclusively")))
                                .join());
    }

    @Test
    void nestedMethodsFollowTheOrder() {
        Outer outer = context.getBean(Outer.class);
        outer.around("u1", () -> service().exclusively("u1", "a1", () -> assertBusy(ACCOUNT))); // covered
        assertThatThrownBy(() -> service().exclusively("u1", "a1", () -> outer.around("u2", () -> {})))
                .isInstanceOf(OrderViolationException.class);
    }

    @Test
    void nothingIsLockedWhenAnIdIsMissing() {
        FaultyStore store = context.getBean(FaultyStore.class);
        int before = store.calls(FaultyStore.Call.ACQUIRE);
        assertThatThrownBy(() -> service().exclusively("u1", "", () -> {}))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("#{#a} is an empty text");
        assertThat(store.calls(FaultyStore.Call.ACQUIRE)).isEqualTo(before);
    }

    @Test
    void aLeaseThatWasLostByTheEndIsAnException() {
        FaultyStore store = context.getBean(FaultyStore.class);
        assertThatThrownBy(() -> service().exclusively("u1", "a1", store::forgetAll))
                .isInstanceOf(LeaseLostException.class)
                .hasMessageContaining(" Service.exclusively' on [user:u1/account:a1] is lost");
    }

    @Test
    void theMethodsOwnExceptionWinsOverTheLoss() {
        FaultyStore store = context.getBean(FaultyStore.class);
        assertThatThrownBy(() -> service().exclusively("u1", "a1", () -> {
                    store.forgetAll();
                    throw new IllegalStateException("no");
                }))
                .isInstanceOf(IllegalStateException.class)
                .satisfies(e -> assertThat(e.getSuppressed()).hasOnlyElementsOfType(LeaseLostException.class));
    }

    @Test
    void aFutureThatTheDeclarationHidesIsRefused() {
        assertThatThrownBy(() -> service().anything(CompletableFuture.completedFuture("")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining(
                        "Service.anything(Object): it returned a java.util.concurrent.CompletableFuture,");
    }
}
