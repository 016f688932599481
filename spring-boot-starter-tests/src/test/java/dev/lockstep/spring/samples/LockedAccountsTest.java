package dev.lockstep.spring.samples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.spring.autoconfigure.LockedAutoConfiguration;
import dev.lockstep.spring.autoconfigure.LockstepAutoConfiguration;
import dev.lockstep.testkit.Tenancy;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.aop.AopAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@Tag("once")
class LockedAccountsTest {
    @Test
    void theSamplesWork() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class, LockstepAutoConfiguration.class, LockedAutoConfiguration.class))
                .withBean(LockedAccounts.class)
                .withPropertyValues("lockstep.store=memory", "lockstep.kinds-from=" + Tenancy.class.getName())
                .run(context -> {
                    LockedAccounts accounts = context.getBean(LockedAccounts.class);
                    accounts.close("u1", "a1");
                    accounts.pay(new LockedAccounts.Order("u1", List.of("a3", "a2")));
                    assertThat(accounts.count("u1").join()).isEqualTo(3);
                    assertThat(accounts.done()).containsExactly("u1/a1", "u1/a3", "u1/a2");
                    assertThat(accounts.pass("u1")).startsWith("token ");
                });
    }

    @Test
    void aMistakeInAKeyFailsTheStart() {
        new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        AopAutoConfiguration.class, LockstepAutoConfiguration.class, LockedAutoConfiguration.class))
                .withBean(LockedAccounts.class)
                .withPropertyValues("lockstep.store=memory", "lockstep.kinds.user.rank=0")
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining(
                                "LockedAccounts.close(String, String), key 'user:#{#user}/account:#{#account}': there"
                                        + " is no kind 'account'. Known are: user."));
    }
}
