package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work under the lock. */
@UsesChromium
class WithProjectLockTest {
    private static final String LOCK = """
            const clock = new FakeClock();
            const file = new InMemoryOpfsFile();
            const lock = createProjectLock({ locks: new MockNavigatorLocks(), file, clock, log });
            const probe = new EventProbe(lock.subscribeLockEvents);
            """;

    @Test
    @DisplayName(
            "Is renewed at a third of the term for as long as the work runs, then released; the result is the work's")
    void renewedWhileWorking(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles(LOCK + """
                                const done = lock.withProjectLock(undefined, async () => { await clock.sleep(31_000); return 'result'; });
                                await clock.advance(31_000);
                                const result = await done;
                                await clock.advance(60_000);
                                return [result, probe.types().join()];
                                """);
        assertThat(seen)
                .isEqualTo(List.of("result", "acquired,renewed,renewed,renewed,renewed,renewed,renewed,released"));
    }

    @Test
    @DisplayName("The work's error is the caller's, and the lock is released")
    void workFails(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles(LOCK + """
                                const error = new Error('mine');
                                const caught = await lock.withProjectLock({}, async () => { throw error; }).catch((thrown) => thrown);
                                return [caught === error, probe.types().join(), lock.state()];
                                """);
        assertThat(seen).isEqualTo(List.of(true, "acquired,released", "idle"));
    }

    @Test
    @DisplayName("A lease lost during the work fails it with lease-expired; the work's own error goes before")
    void leaseLost(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles(LOCK + """
                                const lose = async () => { clock.jump(20_000); await lock.revalidate(); };
                                const lost = await failure(lock.withProjectLock({}, lose));
                                const own = await failure(lock.withProjectLock({}, async () => { await lose(); throw new RangeError('mine'); }));
                                return [lost, own, probe.types().join()];
                                """);
        assertThat(seen).isEqualTo(List.of("lease-expired", "RangeError", "acquired,expired,acquired,expired"));
    }

    @Test
    @DisplayName("A renewal that fails is tried again in time")
    void renewalFailsOnce(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles(LOCK + """
                                const done = lock.withProjectLock({}, async () => { file.failNext('write'); await clock.sleep(21_000); });
                                await clock.advance(21_000);
                                await done;
                                return [probe.types().join(), logged];
                                """);
        assertThat(seen)
                .isEqualTo(
                        List.of("acquired,renewed,renewed,renewed,released", List.of("error fallback-write-failed")));
    }

    @Test
    @DisplayName("In a real browser, long work keeps the lock, and others wait")
    void realWork(Tabs tabs) {
        tabs.renewEarly();
        Tab worker = tabs.open();
        Tab other = tabs.open();
        worker.start("""
                return withProjectLock({}, async ({ expiresAt }) => {
                  while (!window.mayEnd || types().filter((type) => type === 'renewed').length < 2) await wait(50);
                  return JSON.parse(await read('.lock')).expiresAt > expiresAt;
                });
                """);
        await().untilAsserted(
                        () -> assertThat(worker.types()).asInstanceOf(LIST).contains("acquired"));
        assertThat(other.run("return failure(acquireProjectLock({ maxWaitMs: 2000 }));"))
                .isEqualTo("acquire-timeout");
        worker.run("window.mayEnd = true;");
        assertThat(worker.result()).isEqualTo(true);
        assertThat(worker.types()).asInstanceOf(LIST).last().isEqualTo("released");
    }
}
