package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holders, waiters and clocks, on test doubles. */
@UsesChromium
@DisplayName("Holders and waiters, on test doubles")
class TwoHoldersTest {
    private static final String TWO = """
            const clock = new FakeClock();
            const file = new InMemoryOpfsFile();
            const locks = new MockNavigatorLocks();
            const one = createProjectLock({ locks, file, clock, log });
            const two = createProjectLock({ locks, file, clock, log });
            const probeOne = new EventProbe(one.subscribeLockEvents);
            const probeTwo = new EventProbe(two.subscribeLockEvents);
            """;

    @Test
    @DisplayName("A release hands the lock to the one that waits, at once")
    void handOver(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                const { lease } = await one.acquireProjectLock();
                const waiting = two.acquireProjectLock();
                await clock.advance(150);
                await one.releaseProjectLock({ lease });
                await clock.advance(0);
                return [(await waiting).lease.source, probeTwo.types()];
                """);
        assertThat(seen).isEqualTo(List.of("web-lock", List.of("backoff", "acquired")));
    }

    @Test
    @DisplayName("A holder that froze loses the lock when its lease ends: the waiter steals the Web Lock, and keeps it")
    void steal(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                const frozen = { now: () => 0, monotonic: () => 0, alarm: () => () => {} };
                frozen.now = () => clock.now() < frozen.until ? clock.now() : frozen.until - 1;
                frozen.until = clock.now() + 10;
                const sleeper = createProjectLock({ locks, file, clock: frozen, log });
                const probe = new EventProbe(sleeper.subscribeLockEvents);
                await sleeper.acquireProjectLock();
                const waiting = two.acquireProjectLock({ maxWaitMs: 20_000 });
                await clock.advance(20_000);
                const { lease, didFallback } = await waiting;
                const third = failure(one.acquireProjectLock({ maxWaitMs: 1000 }));
                await clock.advance(1000);
                return [didFallback, lease.source, probe.types(), two.state(), await third];
                """);
        assertThat(seen)
                .isEqualTo(
                        List.of(false, "web-lock", List.of("acquired", "expired"), "holding-web", "acquire-timeout"));
    }

    @Test
    @DisplayName("A tab with Web Locks waits for one without, and the reverse")
    void mixedPaths(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                const old = createProjectLock({ file, clock, log });
                const { lease } = await old.acquireProjectLock();
                const refused = failure(one.acquireProjectLock({ maxWaitMs: 1000 }));
                await clock.advance(1000);
                await old.releaseProjectLock({ lease });
                await one.acquireProjectLock();
                const refusedToo = failure(old.acquireProjectLock({ maxWaitMs: 1000 }));
                await clock.advance(1000);
                return [await refused, await refusedToo];
                """);
        assertThat(seen).isEqualTo(List.of("acquire-timeout", "acquire-timeout"));
    }

    @Test
    @DisplayName("Acquiring again while holding or acquiring is refused with lease-mismatch, and nothing changes")
    void reentry(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                const first = one.acquireProjectLock();
                const whileAcquiring = await failure(one.acquireProjectLock());
                const { lease } = await first;
                const whileHolding = await failure(one.acquireProjectLock());
                await one.renewProjectLock({ lease });
                return [whileAcquiring, whileHolding, probeOne.types(), one.state(), logged];
                """);
        assertThat(seen)
                .isEqualTo(List.of(
                        "lease-mismatch",
                        "lease-mismatch",
                        List.of("acquire-failed", "acquired", "acquire-failed", "renewed"),
                        "holding-web",
                        List.of("error lease-mismatch", "error lease-mismatch")));
    }

    @Test
    @DisplayName("A wrong leaseId is refused by renew and release with lease-mismatch, and the lease stays")
    void wrongLeaseId(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                const { lease } = await one.acquireProjectLock();
                const wrong = { ...lease, leaseId: crypto.randomUUID() };
                const before = file.text;
                const codes = [await failure(one.renewProjectLock({ lease: wrong })), await failure(one.releaseProjectLock({ lease: wrong }))];
                return [codes, probeOne.types(), one.state(), file.text === before];
                """);
        assertThat(seen)
                .isEqualTo(List.of(
                        List.of("lease-mismatch", "lease-mismatch"),
                        List.of("acquired", "release-failed"),
                        "holding-web",
                        true));
    }

    @Test
    @DisplayName(
            "A wall clock set forwards ends the lease; set back, the monotonic clock ends it; a computer that slept notices")
    void clockJumps(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                await one.acquireProjectLock();
                clock.jump(15_000);
                await clock.advance(1000);
                const forwards = probeOne.types();
                await two.acquireProjectLock();
                clock.jump(-3_600_000);
                await clock.advance(14_000);
                const backwards = probeTwo.types();
                await clock.advance(1000);
                const { lease: last } = await one.acquireProjectLock();
                clock.jump(20_000);
                await one.revalidate();
                return [forwards, backwards, probeTwo.types(), probeOne.types(), await failure(one.renewProjectLock({ lease: last }))];
                """);
        assertThat(seen)
                .isEqualTo(List.of(
                        List.of("acquired", "expired"),
                        List.of("acquired"),
                        List.of("acquired", "expired"),
                        List.of("acquired", "expired", "acquired", "expired"),
                        "lease-expired"));
    }

    @Test
    @DisplayName("An end further ahead than a term is believed only until it has been unchanged for one term")
    void futureDated(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                file.text = JSON.stringify({ leaseId: 'other', expiresAt: clock.now() + 1e9 });
                const first = failure(one.acquireProjectLock());
                await clock.advance(5000);
                const second = failure(one.acquireProjectLock({ maxWaitMs: 9000 }));
                await clock.advance(9000);
                const third = one.acquireProjectLock();
                await clock.advance(2000);
                return [await first, await second, (await third).didFallback];
                """);
        assertThat(seen).isEqualTo(List.of("acquire-timeout", "acquire-timeout", false));
    }

    @Test
    @DisplayName(
            "What can't be read is held by someone unknown for one term, then replaced, with an event that says so")
    void unreadable(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                const tried = [];
                for (const text of ['', '{', 'null', '[]', '{"leaseId":1,"expiresAt":2}', '{"leaseId":"a","expiresAt":"2"}',
                    '{"leaseId":"a","expiresAt":2,"more":3}', '{"leaseId":"","expiresAt":2}', '{"leaseId":"a","expiresAt":1e999}']) {
                  const file = new InMemoryOpfsFile(text);
                  const lock = createProjectLock({ file, clock, locks: new MockNavigatorLocks(), log: { warn() {} } });
                  const probe = new EventProbe(lock.subscribeLockEvents);
                  const early = lock.acquireProjectLock({ maxWaitMs: 14_000 }).catch(({ code }) => code);
                  await clock.advance(14_000);
                  const late = lock.acquireProjectLock();
                  await clock.advance(2000);
                  await late;
                  const types = [...new Set(probe.types())];
                  tried.push([await early, types.join(), probe.of('expired')[0]?.error.code, probe.of('backoff')[0].error.code].join(' | '));
                }
                return [...new Set(tried)];
                """);
        assertThat(seen)
                .isEqualTo(
                        List.of(
                                "fallback-read-failed | backoff,acquire-failed,expired,acquired | fallback-read-failed | fallback-read-failed"));
    }

    @Test
    @DisplayName(
            "maxWaitMs: the last pause is cut to the time left, and then it is tried once more; maxAttempts: the last error")
    void limits(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                await one.acquireProjectLock();
                const timedOut = failure(two.acquireProjectLock({ maxWaitMs: 1000 }));
                await clock.advance(1000);
                const pauses = probeTwo.of('backoff').map(({ delayMs }) => delayMs);
                const retryPolicy = { initialDelayMs: 10, maxDelayMs: 15, multiplier: 2, maxAttempts: 3 };
                const exhausted = failure(two.acquireProjectLock({ retryPolicy }));
                await clock.advance(100);
                return [await timedOut, pauses, await exhausted, probeTwo.types().slice(-3), two.state(), logged];
                """);
        assertThat(seen)
                .isEqualTo(List.of(
                        "acquire-timeout",
                        List.of(200, 400, 400),
                        "acquire-timeout",
                        List.of("backoff", "backoff", "acquire-failed"),
                        "faulted",
                        List.of("warn acquire-timeout", "warn acquire-timeout")));
    }

    @Test
    @DisplayName("A shorter renewal that fails halfway leaves the lease to its holder, in everyone's eyes")
    void halfARenewal(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                let { lease } = await one.acquireProjectLock();
                lease = await one.renewProjectLock({ lease, extendByMs: 60_000 });
                file.failNext('write');
                const failed = await failure(one.renewProjectLock({ lease, extendByMs: 1000 }));
                const waiting = failure(two.acquireProjectLock({ maxWaitMs: 20_000 }));
                await clock.advance(20_000);
                return [failed, await waiting, one.state()];
                """);
        assertThat(seen).isEqualTo(List.of("fallback-write-failed", "acquire-timeout", "holding-web"));
    }

    @Test
    @DisplayName("A record that was removed by hand doesn't let others in while its holder has the Web Lock and renews")
    void removedRecord(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                const { lease } = await one.acquireProjectLock();
                const waiting = failure(two.acquireProjectLock({ maxWaitMs: 9000 }));
                file.text = undefined;
                await clock.advance(9000);
                const refused = await waiting;
                await one.renewProjectLock({ lease });
                return [refused, one.state(), probeOne.types()];
                """);
        assertThat(seen).isEqualTo(List.of("acquire-timeout", "holding-web", List.of("acquired", "renewed")));
    }

    @Test
    @DisplayName("A renewal that can't be written leaves the old lease; one that finds another lease ends it")
    void renewalFails(Tabs tabs) {
        Object seen = onDoubles(tabs, """
                const { lease } = await one.acquireProjectLock();
                file.failNext('write');
                const unwritten = await failure(one.renewProjectLock({ lease }));
                const state = one.state();
                file.text = undefined;
                await one.renewProjectLock({ lease });
                const restored = JSON.parse(file.text).leaseId === lease.leaseId;
                file.text = JSON.stringify({ leaseId: 'other', expiresAt: clock.now() + 9000 });
                const lost = await failure(one.renewProjectLock({ lease }));
                await clock.advance(0);
                return [unwritten, state, restored, lost, probeOne.types(), one.state(), JSON.parse(file.text).leaseId];
                """);
        assertThat(seen)
                .isEqualTo(List.of(
                        "fallback-write-failed",
                        "holding-web",
                        true,
                        "lease-mismatch",
                        List.of("acquired", "renewed", "expired"),
                        "idle",
                        "other"));
    }

    private static Object onDoubles(Tabs tabs, String script) {
        return tabs.open().runOnDoubles(TWO + script);
    }
}
