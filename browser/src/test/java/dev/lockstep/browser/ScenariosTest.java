package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The scenarios of the source, on Web Locks and the file system of a real browser. */
@UsesChromium
@DisplayName("In a real browser")
class ScenariosTest {
    @Test
    @DisplayName("TC-01 Web Lock granted: acquired, without fallback; only project/ is written")
    void tc01(Tabs tabs) {
        Object seen = tabs.open().run("""
                        const { lease, didFallback } = await acquireProjectLock();
                        const record = JSON.parse(await read('.lock'));
                        const held = (await navigator.locks.query()).held.map(({ name }) => name);
                        const files = await names(await project());
                        await releaseProjectLock({ lease });
                        const free = (await navigator.locks.query()).held.length;
                        return [types(), didFallback, record.leaseId === lease.leaseId && record.expiresAt === lease.expiresAt, held, files, free,
                          await names(await project()), await names(await navigator.storage.getDirectory())];
                        """);
        assertThat(seen)
                .isEqualTo(List.of(
                        List.of("acquired", "released"),
                        false,
                        true,
                        List.of("lockstep:project"),
                        List.of(".lock", ".lock.fence", ".lock.guard"),
                        0,
                        List.of(".lock.fence", ".lock.guard"),
                        List.of("project")));
    }

    @Test
    @DisplayName("TC-02 Web Locks not supported: switch-to-fallback, then acquired by the lease file")
    void tc02(Tabs tabs) {
        Tab tab = tabs.openWithoutWebLocks();
        Object seen = tab.run("""
                const { lease, didFallback } = await acquireProjectLock();
                const fence = JSON.parse(await read('.lock.fence'));
                return [types(), didFallback, lease.source, fence.source, fence.leaseId === lease.leaseId];
                """);
        assertThat(seen)
                .isEqualTo(List.of(List.of("switch-to-fallback", "acquired"), true, "opfs-lock", "opfs-lock", true));
        assertThat(tab.console()).singleElement().asString().startsWith("warning: [lockstep] switch-to-fallback: ");
    }

    @Test
    @DisplayName("TC-03 .lock held by another UUID: pauses that double, then success; on both paths")
    void tc03(Tabs tabs) {
        for (Tab tab : List.of(tabs.open(), tabs.openWithoutWebLocks())) {
            Object seen = tab.run("""
                    const leaseId = crypto.randomUUID();
                    const holdUntil = (expiresAt) => write('.lock', JSON.stringify({ leaseId, expiresAt }));
                    await holdUntil(Date.now() + 500_000);
                    subscribeLockEvents(({ attempt }) => attempt === 2 && holdUntil(Date.now()));
                    const { lease } = await acquireProjectLock();
                    await releaseProjectLock({ lease });
                    const pauses = events.filter(({ type }) => type === 'backoff').map(({ attempt, delayMs }) => attempt + ':' + delayMs);
                    return [pauses.slice(0, 2), types().slice(-2)];
                    """);
            assertThat(seen).isEqualTo(List.of(List.of("1:200", "2:400"), List.of("acquired", "released")));
        }
    }

    @Test
    @DisplayName(
            "TC-04 AbortSignal before, while and after: web-lock-aborted, nothing left behind, and no harm to a lease")
    void tc04(Tabs tabs) {
        Tab holder = tabs.open();
        holder.acquire();
        Tab tab = tabs.open();
        Object refused = tab.run("""
                const before = await failure(acquireProjectLock({ signal: AbortSignal.abort() }));
                const controller = new AbortController();
                const waiting = failure(acquireProjectLock({ signal: controller.signal }));
                await wait(50);
                controller.abort();
                const during = await waiting;
                const pending = async () => (await navigator.locks.query()).pending.length;
                for (let i = 0; i < 600 && (await pending()) > 0; i++) await wait(100); // the browser removes it some time after the abort
                return [before, during, types().filter((type) => type !== 'backoff'), await pending()];
                """);
        assertThat(refused)
                .isEqualTo(List.of(
                        "web-lock-aborted", "web-lock-aborted", List.of("acquire-failed", "acquire-failed"), 0));
        holder.run("await releaseProjectLock({ lease: held });");
        Object kept = tab.run("""
                const controller = new AbortController();
                const { lease } = await acquireProjectLock({ signal: controller.signal });
                controller.abort();
                return (await renewProjectLock({ lease })).leaseId === lease.leaseId;
                """);
        assertThat(kept).isEqualTo(true);
    }

    @Test
    @DisplayName("An abort that races with the grant gives it back")
    void abortRacesWithGrant(Tabs tabs) {
        for (Tab tab : List.of(tabs.open(), tabs.openWithoutWebLocks())) {
            Object seen = tab.run("""
                    let aborted = 0;
                    for (let i = 0; i < 12; i++) {
                      const controller = new AbortController();
                      const acquired = acquireProjectLock({ signal: controller.signal });
                      setTimeout(() => controller.abort(), 2 * i);
                      const lease = await acquired.then(({ lease }) => lease, () => undefined);
                      aborted += lease ? 0 : 1;
                      if (lease) await releaseProjectLock({ lease });
                      const next = await acquireProjectLock();
                      await releaseProjectLock({ lease: next.lease });
                    }
                    return aborted;
                    """);
            assertThat((Integer) seen).isPositive();
        }
    }

    @Test
    @DisplayName("TC-05 renew: a later end in the lease and the file, and renewed; on both paths")
    void tc05(Tabs tabs) {
        for (Tab tab : List.of(tabs.open(), tabs.openWithoutWebLocks())) {
            Object seen = tab.run("""
                    const { lease } = await acquireProjectLock();
                    const longer = await renewProjectLock({ lease, extendByMs: 660_000 });
                    const record = JSON.parse(await read('.lock'));
                    await releaseProjectLock({ lease });
                    return [longer.expiresAt - lease.expiresAt >= 60_000, longer.leaseId === lease.leaseId,
                      record.expiresAt === longer.expiresAt, types().slice(-2)];
                    """);
            assertThat(seen).isEqualTo(List.of(true, true, true, List.of("renewed", "released")));
        }
    }

    @Test
    @DisplayName(
            "TC-06 .lock can't be deleted: release-failed with fallback-write-failed, and the next tab gets the lock at once")
    void tc06(Tabs tabs) {
        tabs.serveModules("/undeletable/", "opfs-files.js", "undeletable-opfs-files.js");
        Tab tab = tabs.open("/blank.html", "window.lockstepModules = '/undeletable/lockstep-project-lock.js';");
        Object seen = tab.run("""
                const { lease } = await acquireProjectLock();
                return [await failure(releaseProjectLock({ lease })), types(), JSON.parse(await read('.lock')).leaseId === lease.leaseId];
                """);
        assertThat(seen).isEqualTo(List.of("fallback-write-failed", List.of("acquired", "release-failed"), true));
        assertThat(tabs.open().acquire()).isEqualTo("web-lock");
    }

    @Test
    @DisplayName("TC-07 the lease ends: expired in time, and the lock must be acquired again; on both paths")
    void tc07(Tabs tabs) {
        tabs.shortenTerms();
        for (Tab tab : List.of(tabs.open(), tabs.openWithoutWebLocks())) {
            Object seen = tab.run("""
                    const expired = new Promise((resolve) => subscribeLockEvents(({ type, lease }) =>
                      type === 'expired' && resolve(Date.now() >= lease.expiresAt)));
                    const { lease } = await acquireProjectLock();
                    const isInTime = await expired;
                    const codes = [await failure(renewProjectLock({ lease })), await failure(releaseProjectLock({ lease }))];
                    const times = types().filter((type) => type === 'expired').length;
                    await acquireProjectLock();
                    return [isInTime, codes, times];
                    """);
            assertThat(seen).isEqualTo(List.of(true, List.of("lease-expired", "lease-expired"), 1));
        }
    }
}
