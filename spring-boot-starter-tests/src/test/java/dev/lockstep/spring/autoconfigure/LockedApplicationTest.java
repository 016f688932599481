package dev.lockstep.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Applications with locked methods and something missing. */
@Tag("once")
class LockedApplicationTest {
    static class Service {
        @Locked("user:u1")
        public void call() {}
    }

    private final ApplicationContextRunner runner = Applications.plain()
            .withConfiguration(AutoConfigurations.of(LockedAutoConfiguration.class))
            .withBean(Service.class);

    @Test
    @DisplayName("lockstep.enabled=false doesn't let locked methods run without locks")
    void disabled() {
        runner.withPropertyValues("lockstep.enabled=false")
                .run(context -> assertThat(Applications.refusal(context).description())
                        .contains("there is no bean of type dev.lockstep.core.Locks", "lockstep.store=memory"));
    }

    @Test
    @DisplayName("without any kinds, the ways to declare them are named")
    void noKinds() {
        runner.withPropertyValues("lockstep.store=memory")
                .run(context -> assertThat(Applications.refusal(context).description())
                        .contains(
                                "there is no kind 'user'",
                                "lockstep.kinds-from, lockstep.kinds or a bean of type Kinds"));
    }

    @Test
    @DisplayName("of several beans Locks one must be primary")
    void severalLocks() {
        runner.withPropertyValues("lockstep.kinds.user.rank=0")
                .withBean("one", Locks.class, Locks::inMemory)
                .withBean("other", Locks.class, Locks::inMemory)
                .run(context -> assertThat(Applications.refusal(context).description())
                        .contains("there are several beans of type dev.lockstep.core.Locks", "@Primary"));
    }
}
