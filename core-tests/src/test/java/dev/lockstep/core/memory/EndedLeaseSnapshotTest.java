package dev.lockstep.core.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Estate;
import dev.lockstep.core.LockRequest;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A lease ends in one step, and its locks leave the table afterwards. A snapshot in between shows none of them. */
class EndedLeaseSnapshotTest {
    private static final Duration TERM = Duration.ofSeconds(5);

    private final MovedClock clock = new MovedClock();
    private final long origin = clock.nanos();
    private final MemoryStore store = MemoryStore.on(clock);

    private Claim granted() throws InterruptedException {
        LockRequest request = LockRequest.exclusive(Estate.USER.key("u").child(Estate.ACCOUNT, "a"));
        Asking asking = new Asking(clock, 1, 1, request, Duration.ZERO, TERM, List.of());
        return (Claim) store.acquire(asking);
    }

    @Test
    void anExpiredLeaseThatIsBeingRevokedIsNotShown() throws InterruptedException {
        Claim claim = granted();
        assertThat(store.snapshot().holders()).hasSize(2);
        clock.moveTo(origin + TERM.toNanos());
        assertThat(claim.revoke(TERM.toNanos())).isTrue();
        assertThat(store.snapshot().holders()).isEmpty();
    }

    @Test
    void aLeaseThatIsBeingReleasedIsNotShown() throws InterruptedException {
        Claim claim = granted();
        assertThat(claim.end()).isTrue();
        assertThat(store.snapshot().holders()).isEmpty();
    }
}
