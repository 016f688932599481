package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Renewals and releases that fail, come late or ask for less than the lease has already; on the test doubles. */
@UsesChromium
class RenewAndReleaseTest {
    @Test
    @DisplayName(
            "A renewal never ends the lease earlier; after the wall clock was set back it counts from the new time")
    void neverShorter(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const clock = new FakeClock();
                        const file = new InMemoryOpfsFile();
                        const lock = createProjectLock({ locks: new MockNavigatorLocks(), file, clock, log });
                        const { lease } = await lock.acquireProjectLock();
                        const same = await lock.renewProjectLock({ lease, extendByMs: 1000 });
                        const inFile = JSON.parse(file.text).expiresAt;
                        await clock.advance(14_999);
                        const held = lock.state();
                        clock.jump(-3_600_000);
                        const setBack = await lock.renewProjectLock({ lease });
                        return [same.expiresAt - lease.expiresAt, inFile - lease.expiresAt, held, setBack.expiresAt - clock.now()];
                        """);
        assertThat(seen).isEqualTo(List.of(0, 0, "holding-web", 15_000));
    }

    @Test
    @DisplayName("A wall clock set back by milliseconds doesn't shorten a lease that is renewed for less")
    void smallStepBack(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const clock = new FakeClock();
                        const file = new InMemoryOpfsFile();
                        const lock = createProjectLock({ locks: new MockNavigatorLocks(), file, clock, log });
                        const { lease } = await lock.acquireProjectLock();
                        clock.jump(-2);
                        const renewed = await lock.renewProjectLock({ lease, extendByMs: 1000 });
                        const leftMs = renewed.expiresAt - clock.now();
                        await clock.advance(14_000);
                        return [leftMs, lock.state()];
                        """);
        assertThat(seen).isEqualTo(List.of(15_000, "holding-web"));
    }

    @Test
    @DisplayName("A .lock.fence with a term of centuries is not believed: the record counts as any other")
    void fenceWithoutEnd(Tabs tabs) {
        tabs.shortenTerms();
        Object seen = tabs.open().run("""
                        const end = Number.MAX_SAFE_INTEGER;
                        const fence = { fence: 1, leaseId: 'other', source: 'opfs-lock', termMs: end, stamp: 'a' };
                        await write('.lock.fence', JSON.stringify(fence));
                        await write('.lock', JSON.stringify({ leaseId: 'other', expiresAt: end }));
                        return (await acquireProjectLock()).lease.source;
                        """);
        assertThat(seen).isEqualTo("web-lock");
    }

    @Test
    @DisplayName("A failed release can be tried again, also after others were granted the lock; a renewal can't")
    void releaseAgain(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const released = async (locks, between) => {
                          const file = new InMemoryOpfsFile();
                          const clock = new FakeClock();
                          const lock = createProjectLock({ locks, file, clock, log });
                          const probe = new EventProbe(lock.subscribeLockEvents);
                          const { lease } = await lock.acquireProjectLock();
                          file.failNext('delete');
                          const first = await lock.releaseProjectLock({ lease }).catch(({ code, retryable }) => [code, retryable]);
                          file.failNext('delete');
                          const second = await failure(lock.releaseProjectLock({ lease }));
                          const renewed = await failure(lock.renewProjectLock({ lease }));
                          await between(lock, file, clock, locks);
                          const last = await failure(lock.releaseProjectLock({ lease }));
                          return [first.join(), second, renewed, last, await failure(lock.releaseProjectLock({ lease })),
                            probe.types().join(), lock.state(), file.text ?? 'no file'];
                        };
                        const others = [];
                        const byOther = async (lock, file, clock, locks) => {
                          others.push(await createProjectLock({ locks, file, clock, log }).acquireProjectLock({ maxWaitMs: 0 }));
                        };
                        const afterTheEnd = (lock, file, clock) => clock.advance(20_000);
                        const taken = await released(new MockNavigatorLocks(), byOther);
                        return [await released(new MockNavigatorLocks(), () => {}), await released(undefined, afterTheEnd),
                          taken.slice(0, 7), JSON.parse(taken[7]).leaseId === others[0].lease.leaseId];
                        """);
        List<Object> common = List.of(
                "fallback-write-failed,true", "fallback-write-failed", "lease-mismatch", "no error", "lease-mismatch");
        String events = "acquired,release-failed,release-failed,released,release-failed";
        assertThat(seen)
                .isEqualTo(List.of(
                        with(common, events, "idle", "no file"),
                        with(common, "switch-to-fallback," + events, "idle", "no file"),
                        with(common, events, "idle"),
                        true));
    }

    private static List<Object> with(List<Object> first, Object... others) {
        List<Object> all = new ArrayList<>(first);
        all.addAll(List.of(others));
        return all;
    }

    @Test
    @DisplayName("An acquire after a failed release forgets the old lease")
    void acquireAfterFailedRelease(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const file = new InMemoryOpfsFile();
                        const lock = createProjectLock({ locks: new MockNavigatorLocks(), file, log });
                        const { lease: old } = await lock.acquireProjectLock();
                        file.failNext('delete');
                        await failure(lock.releaseProjectLock({ lease: old }));
                        const { lease } = await lock.acquireProjectLock();
                        const again = await failure(lock.releaseProjectLock({ lease: old }));
                        return [again, JSON.parse(file.text).leaseId === lease.leaseId, lock.state()];
                        """);
        assertThat(seen).isEqualTo(List.of("lease-mismatch", true, "holding-web"));
    }
}
