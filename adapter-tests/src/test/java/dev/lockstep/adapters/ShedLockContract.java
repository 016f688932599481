package dev.lockstep.adapters;

import static java.time.Duration.ZERO;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.shedlock.LockstepLockProvider;
import java.time.Duration;
import java.util.Optional;
import net.javacrumbs.shedlock.core.ExtensibleLockProvider;
import net.javacrumbs.shedlock.core.SimpleLock;
import net.javacrumbs.shedlock.test.support.AbstractExtensibleLockProviderIntegrationTest;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** ShedLock's own contract for providers, and what its users rely on beyond that. */
@Timeout(300)
abstract class ShedLockContract extends AbstractExtensibleLockProviderIntegrationTest {
    private Locks locks;
    private Locks elsewhere;
    private LockstepLockProvider provider;
    private LockstepLockProvider providerElsewhere;

    /** Locks in one place, and at the next call other ones in the same place. */
    abstract LocksBuilder place() throws Exception;

    @BeforeEach
    final void open() throws Exception {
        locks = place().defaultTerm(ofSeconds(30)).build();
        elsewhere = place().defaultTerm(ofSeconds(30)).build();
        provider = LockstepLockProvider.on(locks, Job.KIND);
        providerElsewhere = LockstepLockProvider.on(elsewhere, Job.KIND);
    }

    @AfterEach
    final void close() {
        elsewhere.close();
        locks.close();
    }

    @Override
    protected ExtensibleLockProvider getLockProvider() {
        return provider;
    }

    @Override
    protected void assertLocked(String name) {
        assertThat(isLocked(name)).as("%s is locked", name).isTrue();
    }

    /** After a time a timer unlocks it, which may be late on a machine that stands still. */
    @Override
    protected void assertUnlocked(String name) {
        await().untilAsserted(() ->
                assertThat(isLocked(name)).as("%s is locked", name).isFalse());
    }

    private boolean isLocked(String name) {
        return locks.snapshot().holders().stream().anyMatch(held -> held.key().equals(Job.key(name)));
    }

    private SimpleLock lock(Duration atMost, Duration atLeast) {
        return provider.lock(lockConfig("a", atMost, atLeast)).orElseThrow();
    }

    private Optional<SimpleLock> lockElsewhere() {
        return providerElsewhere.lock(lockConfig("a"));
    }

    @Test
    void anotherProcessIsRefusedUntilItIsUnlocked() {
        SimpleLock lock = lock(ofMinutes(5), ZERO);
        assertThat(lockElsewhere()).isEmpty();
        lock.unlock();
        assertThat(lockElsewhere()).isPresent();
    }

    @Test
    void theLeastTimeHoldsAgainstAnotherProcess() {
        lock(ofMinutes(5), ofMinutes(4)).unlock();
        assertThat(lockElsewhere()).isEmpty();
    }

    @Test
    void theMostTimeEndsALockThatIsNeverUnlocked() {
        SimpleLock lock = lock(Duration.ofMillis(50), ZERO);
        await().until(() -> lockElsewhere().isPresent());
        lock.unlock();
        assertThat(lockElsewhere()).as("the other process still has it").isEmpty();
        assertThatThrownBy(lock::unlock).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void anExtensionMayShortenTheMostTime() {
        assertThat(lock(ofMinutes(5), ZERO).extend(Duration.ofMillis(50), ZERO)).isPresent();
        await().until(() -> lockElsewhere().isPresent());
    }

    @Test
    void aLostLockCannotBeExtendedAndIsUnlockedQuietly() {
        SimpleLock lock = lock(ofMinutes(5), ZERO);
        SimpleLock other = provider.lock(lockConfig("b")).orElseThrow();
        locks.close();
        assertThat(lock.extend(ofMinutes(5), ZERO)).isEmpty();
        other.unlock();
        await().until(() -> lockElsewhere().isPresent());
    }

    @Test
    void anInvalidNameIsRefused() {
        assertThatThrownBy(() -> provider.lock(lockConfig("x".repeat(100_000))))
                .isInstanceOf(InvalidRequestException.class);
        assertThat(locks.snapshot().isEmpty()).isTrue();
    }
}
