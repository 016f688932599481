package dev.lockstep.spring.autoconfigure;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.StoreDoctor;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Tag("once")
class MemoryLocksTest {
    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(LockstepAutoConfiguration.class))
            .withPropertyValues(
                    "lockstep.store=memory",
                    "lockstep.kinds.user.rank=0",
                    "lockstep.kinds.account.rank=1",
                    "lockstep.kinds.account.parent=user");

    @Test
    @DisplayName("there are locks, a store, kinds and a doctor")
    void beans() {
        runner.run(context -> {
            assertThat(context).hasSingleBean(LockStore.class);
            Locks locks = context.getBean(Locks.class);
            try (Lease lease =
                    locks.acquire(exclusive(context.getBean(Kinds.class).parse("user:u1/account:a1")))) {
                assertThat(lease.isHeld()).isTrue();
            }
            assertThat(context.getBean(StoreDoctor.class).examine().isHealthy()).isTrue();
        });
    }
}
