package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.microsoft.playwright.CDPSession;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Browsers that lack something, and files that are not as they should be. */
@UsesChromium
class TroubleTest {
    @ParameterizedTest
    @ValueSource(strings = {"NotSupportedError", "SecurityError"})
    @DisplayName("Web Locks that can't be used: the fallback, with a warning")
    void webLocksUnavailable(String name, Tabs tabs) {
        Tab tab = tabs.open("/blank.html", rejectWebLocks(name));
        assertThat(tab.acquire()).isEqualTo("opfs-lock");
        assertThat(tab.types()).isEqualTo(List.of("switch-to-fallback", "acquired"));
        assertThat(tab.console()).singleElement().asString().startsWith("warning: [lockstep] switch-to-fallback");
    }

    @Test
    @DisplayName("Web Locks that fail in another way: no fallback, but pauses and another try")
    void webLocksFail(Tabs tabs) {
        Tab tab = tabs.open("/blank.html", rejectWebLocks("InvalidStateError"));
        assertThat(
                        tab.run(
                                "return [await failure(acquireProjectLock({ retryPolicy: { maxAttempts: 3 } })), types(), events[0].code];"))
                .isEqualTo(List.of(
                        "web-lock-unavailable",
                        List.of("backoff", "backoff", "acquire-failed"),
                        "web-lock-unavailable"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
                    no getDirectory           | delete StorageManager.prototype.getDirectory;
                    getDirectory throws       | StorageManager.prototype.getDirectory = async () => { throw new DOMException('no', 'SecurityError'); };
                    no createSyncAccessHandle | delete FileSystemFileHandle.prototype.createSyncAccessHandle;
                    """)
    @DisplayName("Without the origin private file system: fallback-open-failed on both paths, that says what to do")
    void withoutFileSystem(String what, String cripple, Tabs tabs) {
        tabs.serve("/bare/cripple.js", cripple);
        tabs.serveModules("/bare/", "lockstep-project-lock-worker.js", "crippled-worker.js");
        tabs.useModules("/bare/");
        for (Tab tab : List.of(tabs.open(), tabs.openWithoutWebLocks())) {
            assertThat(failedAcquire(tab)).isEqualTo("fallback-open-failed");
            assertThat(tab.console())
                    .last()
                    .asString()
                    .startsWith("error: [lockstep]")
                    .contains("https", "localhost");
        }
    }

    @Test
    @DisplayName("Without createWritable: fallback-open-failed on both paths, that names the browsers that have it")
    void withoutWritables(Tabs tabs) {
        tabs.serve("/bare/cripple.js", "delete FileSystemFileHandle.prototype.createWritable;");
        tabs.serveModules("/bare/", "lockstep-project-lock-worker.js", "crippled-worker.js");
        tabs.useModules("/bare/");
        for (Tab tab : List.of(tabs.open(), tabs.openWithoutWebLocks())) {
            assertThat(failedAcquire(tab)).isEqualTo("fallback-open-failed");
            assertThat(tab.console()).last().asString().contains("createWritable is missing", "Safari 26");
        }
    }

    @Test
    @DisplayName("A worker that is not there: fallback-open-failed at once, that says what to serve")
    void workerMissing(Tabs tabs) {
        tabs.remove(Tabs.MODULES + "lockstep-project-lock-worker.js");
        Tab tab = tabs.open();
        assertThat(failedAcquire(tab)).isEqualTo("fallback-open-failed");
        assertThat(tab.console())
                .anySatisfy(line -> assertThat(line).contains("lockstep-project-lock-worker.js", "worker-src"));
    }

    @Test
    @DisplayName("A content security policy without workers: fallback-open-failed at once")
    void workerForbidden(Tabs tabs) {
        tabs.serve(
                "/no-workers.html",
                "<!doctype html><meta http-equiv=\"Content-Security-Policy\" content=\"worker-src 'none'\">");
        assertThat(failedAcquire(tabs.open("/no-workers.html"))).isEqualTo("fallback-open-failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "{\"leaseId\":\"a\",\"expiresAt\":\"soon\"}", "HUGE"})
    @DisplayName("A .lock that can't be read is held by an unknown holder for one term, and then replaced")
    void unreadable(String text, Tabs tabs) {
        tabs.shortenTerms();
        Tab tab = tabs.open();
        tab.run("await write('.lock', given === 'HUGE' ? 'x'.repeat(5_000_000) : given);", text);
        assertReplacedAfterATerm(tab);
    }

    @Test
    @DisplayName("A directory in place of .lock: fallback-open-failed at once, and it stays as it is; on both paths")
    void directory(Tabs tabs) {
        Tab tab = tabs.open();
        tab.run("""
                const directory = await (await project()).getDirectoryHandle('.lock', { create: true });
                await directory.getFileHandle('precious', { create: true });
                """);
        for (Tab each : List.of(tab, tabs.openWithoutWebLocks())) {
            assertThat(failedAcquire(each)).isEqualTo("fallback-open-failed");
            assertThat(each.console())
                    .anyMatch(line -> line.startsWith("error: [lockstep] acquire-failed: project/.lock is"));
        }
        assertThat(tab.run("return names(await (await project()).getDirectoryHandle('.lock'));"))
                .isEqualTo(List.of("precious"));
    }

    @Test
    @DisplayName("A .lock from the future is believed for one term")
    void futureDated(Tabs tabs) {
        tabs.shortenTerms();
        Object seen = tabs.open().run("""
                        await write('.lock', JSON.stringify({ leaseId: 'other', expiresAt: Date.now() + 1e10 }));
                        const early = await failure(acquireProjectLock({ maxWaitMs: 0 }));
                        return [early, (await acquireProjectLock()).lease.source];
                        """);
        assertThat(seen).isEqualTo(List.of("acquire-timeout", "web-lock"));
    }

    @Test
    @DisplayName("No room left: fallback-write-failed, the old lease stays; with room again it is renewed")
    void noRoom(Tabs tabs) {
        Tab tab = tabs.open();
        tab.acquire();
        String before = (String) tab.run("return read('.lock');");
        tab.run("await write('filler', 'x'.repeat(1_000_000));");
        CDPSession limit = limitQuota(tabs, tab);
        assertThat(tab.run("return [await failure(renewProjectLock({ lease: held })), await read('.lock')];"))
                .isEqualTo(List.of("fallback-write-failed", before));
        limit.detach();
        assertThat(tab.run("await renewProjectLock({ lease: held }); return types();"))
                .isEqualTo(List.of("acquired", "renewed"));
    }

    @Test
    @DisplayName("What a killed browser left of a half-written file is swept, and nothing else")
    void leftovers(Tabs tabs) {
        Object seen = tabs.open().run("""
                        for (const name of ['.lock.crswap', '.lock.2.crswap', '.lock.fence.crswap', 'mine.crswap', '.locker']) {
                          await write(name, 'x');
                        }
                        await withProjectLock({}, async () => {});
                        return names(await project());
                        """);
        assertThat(seen).isEqualTo(List.of(".lock.fence", ".lock.guard", ".locker", "mine.crswap"));
    }

    @Test
    @DisplayName("A wall clock that is set forwards ends the lease, without a call")
    void clockSetForwards(Tabs tabs) {
        Object seen = tabs.open().run("""
                        const { lease } = await acquireProjectLock();
                        const expired = new Promise((resolve) => subscribeLockEvents(({ type }) => type === 'expired' && resolve()));
                        const now = Date.now;
                        Date.now = () => now() + 3_600_000;
                        await expired;
                        return failure(releaseProjectLock({ lease }));
                        """);
        assertThat(seen).isEqualTo("lease-expired");
    }

    @Test
    @DisplayName("A listener that throws is logged and has no effect on others")
    void listenerThrows(Tabs tabs) {
        Tab tab = tabs.open();
        Object seen = tab.run("""
                subscribeLockEvents(() => { throw new Error('mine'); });
                subscribeLockEvents(async () => { throw new Error('mine, later'); });
                const told = [];
                const subscription = subscribeLockEvents(({ type }) => told.push(type));
                const { lease } = await acquireProjectLock();
                subscription.unsubscribe();
                await releaseProjectLock({ lease });
                return [told, types()];
                """);
        assertThat(seen).isEqualTo(List.of(List.of("acquired"), List.of("acquired", "released")));
        assertThat(tab.console()).hasSize(4).allMatch(line -> line.startsWith("error: [lockstep] a listener failed"));
    }

    private static String rejectWebLocks(String name) {
        return "LockManager.prototype.request = async () => { throw new DOMException('not here', '" + name + "'); };";
    }

    private static Object failedAcquire(Tab tab) {
        return tab.run("""
                const code = await failure(acquireProjectLock());
                if (types().at(-1) !== 'acquire-failed') throw new Error(types());
                return code;
                """);
    }

    private static void assertReplacedAfterATerm(Tab tab) {
        Object seen = tab.run("""
                const code = await failure(acquireProjectLock({ maxWaitMs: 0 }));
                const { lease } = await acquireProjectLock();
                const expired = events.find(({ type }) => type === 'expired');
                const record = await read('.lock').catch(({ name }) => name); // no longer there if the lease has expired
                return [code, expired.code, record.endsWith('Error') || JSON.parse(record).leaseId === lease.leaseId];
                """);
        assertThat(seen).isEqualTo(List.of("fallback-read-failed", "fallback-read-failed", true));
        assertThat(tab.console())
                .anyMatch(line -> line.startsWith("warning: [lockstep] acquire-failed: project/.lock"));
    }

    /** Leaves no room in the origin's storage until the session is detached. */
    private static CDPSession limitQuota(Tabs tabs, Tab tab) {
        CDPSession session = tabs.context().newCDPSession(tab.page());
        JsonObject limit = new JsonObject();
        limit.addProperty("origin", tabs.server().url("/"));
        limit.addProperty("quotaSize", 1);
        session.send("Storage.overrideQuotaForOrigin", limit);
        return session;
    }
}
