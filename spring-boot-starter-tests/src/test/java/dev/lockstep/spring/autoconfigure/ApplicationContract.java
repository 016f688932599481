package dev.lockstep.spring.autoconfigure;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.StoreDoctor;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;

/** What two applications on one server can rely on. */
@Tag("slow")
@Tag("once")
abstract class ApplicationContract {
    /** An application whose locks are on the test's server. */
    abstract ApplicationContextRunner application();

    ApplicationContextRunner withKinds() {
        return application()
                .withPropertyValues(
                        "lockstep.wait=1m",
                        "lockstep.term=2m",
                        "lockstep.kinds.user.rank=0",
                        "lockstep.kinds.account.rank=1",
                        "lockstep.kinds.account.parent=user");
    }

    static Locks locks(ApplicationContext context) {
        return context.getBean(Locks.class);
    }

    static LockKey key(ApplicationContext context, String text) {
        return context.getBean(Kinds.class).parse(text);
    }

    @Test
    @DisplayName("what one application holds, another can't have, until it is given back")
    void exclusion() {
        withKinds().run(one -> {
            assertThat(one).hasNotFailed();
            assertThat(one.getBean(StoreDoctor.class).examine().isHealthy()).isTrue();
            withKinds().run(two -> {
                try (Lease lease = locks(one).acquire(exclusive(key(one, "user:u1/account:a1")))) {
                    assertThat(lease.isHeld()).isTrue();
                    assertThat(locks(two).tryAcquire(exclusive(key(two, "user:u1"))))
                            .isInstanceOf(Busy.class);
                }
                try (Lease lease =
                        locks(two).acquire(exclusive(key(two, "user:u1")).within(Duration.ofMinutes(1)))) {
                    assertThat(lease.isHeld()).isTrue();
                }
            });
        });
    }

    @Test
    @DisplayName(
            "an application that ends loses its leases, and their locks are released when their holders close them")
    void shutdown() {
        withKinds().run(two -> {
            AtomicReference<Lease> left = new AtomicReference<>();
            withKinds().run(one -> left.set(locks(one).acquire(exclusive(key(one, "user:u2")))));
            assertThat(left.get().isHeld()).isFalse();
            left.get().close();
            assertThat(locks(two).tryAcquire(exclusive(key(two, "user:u2")).within(Duration.ofMinutes(1))))
                    .as("long before the term of 2 minutes is over")
                    .isInstanceOfSatisfying(
                            Granted.class, granted -> granted.lease().close());
        });
    }

    @Test
    @DisplayName("an application that declares a kind differently doesn't start, and is told both definitions")
    void mismatch() {
        withKinds().run(one -> {
            assertThat(one).hasNotFailed();
            withKinds()
                    .withPropertyValues("lockstep.kinds.account.rank=5")
                    .run(two -> assertThat(Applications.refusal(two).description())
                            .contains("account (rank 5", "account (rank 1"));
        });
    }
}
