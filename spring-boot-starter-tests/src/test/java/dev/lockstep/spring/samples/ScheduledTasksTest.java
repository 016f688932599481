package dev.lockstep.spring.samples;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.core.scheduling.LockCheck;
import dev.lockstep.spring.autoconfigure.LockedAutoConfiguration;
import dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration;
import dev.lockstep.testkit.Tenancy;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Tag("once")
class ScheduledTasksTest {
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    AopAutoConfiguration.class, LockstepAutoConfiguration.class, LockedAutoConfiguration.class))
            .withBean(ScheduledTasks.class)
            .withPropertyValues("lockstep.store=memory", "lockstep.kinds-from=" + Tenancy.class.getName());

    @Test
    void aTaskRunsOnceInItsMinimumTime() {
        application.run(context -> {
            ScheduledTasks tasks = context.getBean(ScheduledTasks.class);
            for (int i = 0; i < 3; i++) {
                tasks.report();
            }
            assertThat(tasks.reports()).isEqualTo(1);
        });
    }

    @Test
    void theFallbackIsCalledWhileAnotherHolderHasTheLock() throws Exception {
        application.run(context -> {
            ScheduledTasks tasks = context.getBean(ScheduledTasks.class);
            assertThat(tasks.balance("u1")).isEqualTo(2);
            Lease other = context.getBean(Locks.class)
                    .acquireAsync(exclusive(Tenancy.user("u1")))
                    .get(60, TimeUnit.SECONDS);
            assertThat(tasks.balance("u1")).isEqualTo(-1);
            other.close();
        });
    }

    @Test
    @SuppressWarnings("try") // the scope is only opened and closed
    void aTaskCanBeTestedWithoutItsLock() {
        ScheduledTasks tasks = new ScheduledTasks();
        try (LockCheck.Scope pretended = LockCheck.pretendLocked()) {
            tasks.report();
        }
        assertThat(tasks.reports()).isEqualTo(1);
    }
}
