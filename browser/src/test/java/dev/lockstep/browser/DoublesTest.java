package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The scenarios of the source, on the test doubles that users have too. */
@UsesChromium
@DisplayName("On test doubles")
class DoublesTest {
    @Test
    @DisplayName("TC-01 Web Lock granted: acquired, without fallback")
    void tc01(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const locks = new MockNavigatorLocks(['granted']);
                        const lock = createProjectLock({ locks });
                        const probe = new EventProbe(lock.subscribeLockEvents);
                        const { lease, didFallback } = await lock.acquireProjectLock();
                        return [probe.types(), didFallback, lease.source, Object.keys(lease), lock.state(), locks.requests.length];
                        """);
        assertThat(seen)
                .isEqualTo(List.of(
                        List.of("acquired"),
                        false,
                        "web-lock",
                        List.of("leaseId", "expiresAt", "source"),
                        "holding-web",
                        1));
    }

    @Test
    @DisplayName("TC-02 Web Locks not supported: switch-to-fallback, then acquired by the lease file")
    void tc02(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const file = new InMemoryOpfsFile();
                        const locks = new MockNavigatorLocks([MockNavigatorLocks.unsupported()]);
                        const lock = createProjectLock({ locks, file, log });
                        const probe = new EventProbe(lock.subscribeLockEvents);
                        const { lease, didFallback } = await lock.acquireProjectLock();
                        const { error } = probe.events[0];
                        const record = JSON.parse(file.text);
                        return [probe.types(), didFallback, lease.source, error.code, error.retryable, logged, lock.state(),
                          Object.keys(record), record.leaseId === lease.leaseId, record.expiresAt === lease.expiresAt];
                        """);
        assertThat(seen)
                .isEqualTo(List.of(
                        List.of("switch-to-fallback", "acquired"),
                        true,
                        "opfs-lock",
                        "web-lock-unavailable",
                        true,
                        List.of("warn web-lock-unavailable"),
                        "holding-fallback",
                        List.of("leaseId", "expiresAt"),
                        true,
                        true));
    }

    @Test
    @DisplayName("TC-03 .lock held by another UUID: pauses that double, then success")
    void tc03(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const clock = new FakeClock();
                        const file = InMemoryOpfsFile.holding(crypto.randomUUID(), clock.now() + 3000);
                        const lock = createProjectLock({ file, clock, log });
                        const probe = new EventProbe(lock.subscribeLockEvents);
                        const acquired = lock.acquireProjectLock();
                        await clock.advance(3000);
                        await acquired;
                        return [probe.types(), probe.of('backoff').map(({ attempt, delayMs }) => attempt + ':' + delayMs)];
                        """);
        assertThat(seen)
                .isEqualTo(List.of(
                        List.of("switch-to-fallback", "backoff", "backoff", "backoff", "backoff", "acquired"),
                        List.of("1:200", "2:400", "3:800", "4:1600")));
    }

    @Test
    @DisplayName("TC-04 AbortSignal: acquire-failed with web-lock-aborted, and no fallback")
    void tc04(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const clock = new FakeClock();
                        const file = InMemoryOpfsFile.holding('other', clock.now() + 10_000);
                        const before = file.text;
                        const lock = createProjectLock({ locks: new MockNavigatorLocks(['stuck']), file, clock, log });
                        const probe = new EventProbe(lock.subscribeLockEvents);
                        const controller = new AbortController();
                        const acquired = failure(lock.acquireProjectLock({ signal: controller.signal }));
                        await clock.advance(100);
                        controller.abort();
                        const code = await acquired;
                        await clock.advance(20_000);
                        return [code, probe.types(), logged, lock.state(), file.text === before];
                        """);
        assertThat(seen)
                .isEqualTo(List.of(
                        "web-lock-aborted",
                        List.of("backoff", "acquire-failed"),
                        List.of("info web-lock-aborted"),
                        "faulted",
                        true));
    }

    @Test
    @DisplayName("TC-05 renew: a later end in the lease and the file, and renewed; on both paths")
    void tc05(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const renewed = async (locks) => {
                          const clock = new FakeClock();
                          const file = new InMemoryOpfsFile();
                          const lock = createProjectLock({ locks, file, clock, log });
                          const probe = new EventProbe(lock.subscribeLockEvents);
                          const { lease } = await lock.acquireProjectLock();
                          await clock.advance(10_000);
                          const longer = await lock.renewProjectLock({ lease });
                          const longest = await lock.renewProjectLock({ lease: longer, extendByMs: 60_000 });
                          await clock.advance(59_999);
                          return [longer.expiresAt - lease.expiresAt, longest.expiresAt - longer.expiresAt,
                            JSON.parse(file.text).expiresAt === longest.expiresAt, probe.types().slice(-2), lock.state()];
                        };
                        return [await renewed(new MockNavigatorLocks()), await renewed(undefined)];
                        """);
        List<String> twice = List.of("renewed", "renewed");
        assertThat(seen)
                .isEqualTo(List.of(
                        List.of(10_000, 45_000, true, twice, "holding-web"),
                        List.of(10_000, 45_000, true, twice, "holding-fallback")));
    }

    @Test
    @DisplayName("TC-06 .lock can't be deleted: release-failed with fallback-write-failed, and the Web Lock is freed")
    void tc06(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const file = new InMemoryOpfsFile();
                        const locks = new MockNavigatorLocks();
                        const lock = createProjectLock({ locks, file, log });
                        const probe = new EventProbe(lock.subscribeLockEvents);
                        const { lease } = await lock.acquireProjectLock();
                        file.failNext('delete');
                        const code = await failure(lock.releaseProjectLock({ lease }));
                        const state = lock.state();
                        const next = createProjectLock({ locks, file, log });
                        const { didFallback } = await next.acquireProjectLock({ maxWaitMs: 0 });
                        return [code, probe.types(), state, logged, didFallback];
                        """);
        assertThat(seen)
                .isEqualTo(List.of(
                        "fallback-write-failed",
                        List.of("acquired", "release-failed"),
                        "faulted",
                        List.of("error fallback-write-failed"),
                        false));
    }

    @Test
    @DisplayName("TC-07 the lease ends: expired at that moment, and the lock must be acquired again")
    void tc07(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const clock = new FakeClock();
                        const file = new InMemoryOpfsFile();
                        const lock = createProjectLock({ locks: new MockNavigatorLocks(), file, clock, log });
                        const probe = new EventProbe(lock.subscribeLockEvents);
                        const { lease } = await lock.acquireProjectLock();
                        await clock.advance(14_999);
                        const before = probe.types();
                        await clock.advance(1);
                        const after = [probe.types(), lock.state(), file.text ?? 'no file'];
                        const codes = [await failure(lock.renewProjectLock({ lease })), await failure(lock.releaseProjectLock({ lease }))];
                        await lock.acquireProjectLock();
                        return [before, after, codes, probe.types(), probe.of('expired')[0].error.code, logged];
                        """);
        assertThat(seen)
                .isEqualTo(List.of(
                        List.of("acquired"),
                        List.of(List.of("acquired", "expired"), "idle", "no file"),
                        List.of("lease-expired", "lease-expired"),
                        List.of("acquired", "expired", "acquired"),
                        "lease-expired",
                        List.of("warn lease-expired")));
    }
}
