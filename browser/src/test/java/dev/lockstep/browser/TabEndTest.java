package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.microsoft.playwright.PlaywrightException;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holders that end without releasing: closed, crashed, frozen, or with a dead worker. */
@UsesChromium
class TabEndTest {
    /**
     * A term in milliseconds that no standstill ends before a freeze: the holder would be frozen while it cleans up, with the guard open.
     */
    private static final int BEYOND_A_FREEZE = 12_000;

    @Test
    @DisplayName("A closed tab's lock is had at once")
    void closed(Tabs tabs) {
        Tab holder = tabs.open();
        Tab next = tabs.open();
        holder.acquire();
        next.start("return (await acquireProjectLock()).lease.source;");
        holder.page().close();
        assertThat(next.result()).isEqualTo("web-lock");
    }

    @Test
    @DisplayName("A crashed tab's lock is had at once")
    void crashed(Tabs tabs) {
        Tab holder = tabs.open();
        Tab next = tabs.open();
        holder.acquire();
        next.start("return (await acquireProjectLock()).lease.source;");
        assertThatThrownBy(() -> holder.page().navigate("chrome://crash")).isInstanceOf(PlaywrightException.class);
        assertThat(next.result()).isEqualTo("web-lock");
    }

    @Test
    @DisplayName("A closed tab without Web Locks keeps the lock until its lease ends")
    void closedOnFallback(Tabs tabs) {
        Tab next = tabs.open();
        tabs.useTerms("/brief/", 5_000);
        Tab holder = tabs.openWithoutWebLocks();
        holder.acquire();
        Object end = holder.run("return held.expiresAt;");
        holder.page().close();
        Object seen = next.run("""
                const code = await failure(acquireProjectLock({ maxWaitMs: 0 }));
                const wasHeld = Date.now() < given; // a machine that stood still may have come too late
                const source = code === 'no error' ? undefined : (await acquireProjectLock()).lease.source;
                return [wasHeld ? code : 'acquire-timeout', source ?? 'web-lock', Date.now() >= given];
                """, end);
        assertThat(seen).isEqualTo(List.of("acquire-timeout", "web-lock", true));
    }

    @Test
    @DisplayName("A frozen tab loses the lock when its lease ends, and says expired when it comes back")
    void frozen(Tabs tabs) {
        Tab next = tabs.open();
        tabs.useTerms("/brief/", BEYOND_A_FREEZE);
        Tab holder = tabs.open();
        holder.acquire();
        holder.freeze(true);
        assertThat(next.acquire()).isEqualTo("web-lock");
        holder.freeze(false);
        assertThat(holder.run("return failure(renewProjectLock({ lease: held }));"))
                .isEqualTo("lease-expired");
        assertThat(holder.types()).isEqualTo(List.of("acquired", "expired"));
        assertThat(next.run("return (await renewProjectLock({ lease: held })).source;"))
                .isEqualTo("web-lock");
    }

    @Test
    @DisplayName("A frozen tab without Web Locks says expired when it comes back")
    void frozenOnFallback(Tabs tabs) {
        Tab next = tabs.open();
        tabs.useTerms("/brief/", BEYOND_A_FREEZE);
        Tab holder = tabs.openWithoutWebLocks();
        holder.acquire();
        holder.freeze(true);
        next.acquire();
        holder.freeze(false);
        await().untilAsserted(() ->
                assertThat(holder.types()).isEqualTo(List.of("switch-to-fallback", "acquired", "expired")));
    }

    @Test
    @DisplayName(
            "A tab that comes back finds that someone else was granted the lock, though its own clocks say nothing")
    void recordTaken(Tabs tabs) {
        Tab holder = tabs.open();
        holder.acquire();
        holder.run("""
                await write('.lock.fence', JSON.stringify({ fence: Date.now() * 1000 + 1e9, leaseId: 'other', source: 'opfs-lock', termMs: 15000 }));
                await write('.lock', JSON.stringify({ leaseId: 'other', expiresAt: Date.now() + 15000 }));
                document.dispatchEvent(new Event('visibilitychange'));
                """);
        await().untilAsserted(() -> assertThat(holder.types()).isEqualTo(List.of("acquired", "expired")));
        assertThat(holder.run("return [events.at(-1).code, JSON.parse(await read('.lock')).leaseId];"))
                .isEqualTo(List.of("lease-mismatch", "other"));
    }

    @Test
    @DisplayName("With its worker terminated the page says expired in time, frees the Web Lock, and can acquire again")
    void workerTerminated(Tabs tabs) {
        Tab next = tabs.open();
        tabs.shortenTermsAndPatience();
        Tab holder = tabs.open("/blank.html", """
                window.workers = [];
                window.Worker = class extends Worker { constructor(...given) { super(...given); window.workers.push(this); } };
                """);
        holder.acquire();
        // The two timers are of one page, and so ring in order however late it is.
        Object first = holder.run("""
                window.workers.at(-1).terminate();
                const expired = new Promise((resolve) => subscribeLockEvents(({ type }) => type === 'expired' && resolve('in time')));
                const late = wait(Math.max(0, held.expiresAt - Date.now()) + 2500).then(() => 'late');
                return types().includes('expired') ? 'in time' : Promise.race([expired, late]);
                """);
        assertThat(first).isEqualTo("in time");
        // a worker that starts slowly is given up, and the acquisition tries again
        assertThat(holder.run("return types().filter((type) => type !== 'backoff');"))
                .isEqualTo(List.of("acquired", "expired"));
        next.run("const { lease } = await acquireProjectLock(); await releaseProjectLock({ lease });");
        assertThat(holder.run("return (await acquireProjectLock()).lease.source;"))
                .isEqualTo("web-lock");
    }

    @Test
    @DisplayName("A winner by the record publishes it without the Web Lock first, so that no tab takes it for dead")
    void publishedBeforeStealing(Tabs tabs) {
        tabs.serveModules("/telling/", "opfs-files.js", "telling-opfs-files.js");
        tabs.useModules("/telling/");
        Object seen = tabs.open().run("""
                        const writes = [];
                        await write('.lock', JSON.stringify({ leaseId: 'frozen', expiresAt: Date.now() }));
                        new BroadcastChannel('writes').onmessage = ({ data }) => writes.push(data);
                        navigator.locks.request('lockstep:project', () => new Promise(() => {})).catch(() => writes.push('stolen'));
                        const { lease } = await acquireProjectLock();
                        while (writes.length < 4) await wait(10);
                        return [lease.source, writes];
                        """);
        assertThat(seen).isEqualTo(List.of("web-lock", List.of("opfs-lock", ".lock", "stolen", "web-lock")));
    }

    @Test
    @DisplayName("Two frames of one page are two holders")
    void frames(Tabs tabs) {
        tabs.serve(
                "/frames.html",
                "<!doctype html><iframe src=\"/blank.html\"></iframe><iframe src=\"/blank.html\"></iframe>");
        Tab page = tabs.open("/frames.html");
        Tab one = new Tab(page.page().frames().get(1));
        Tab two = new Tab(page.page().frames().get(2));
        one.acquire();
        assertThat(two.run("return failure(acquireProjectLock({ maxWaitMs: 100 }));"))
                .isEqualTo("acquire-timeout");
        one.run("await releaseProjectLock({ lease: held });");
        assertThat(two.acquire()).isEqualTo("web-lock");
    }

    @Test
    @DisplayName(
            "Other tabs learn of states and events, one that comes later of the state as it is, and of a tab that goes")
    void tabNews(Tabs tabs) {
        Tab holder = tabs.open();
        holder.acquire();
        Tab other = tabs.open();
        other.run("""
                window.news = [];
                (await import('/lockstep/project-lock/tabs.js')).subscribeTabNews(({ state, event }) => window.news.push(event?.type ?? state));
                """);
        await().untilAsserted(() -> assertThat(other.run("return window.news;")).isEqualTo(List.of("holding-web")));
        holder.run("await renewProjectLock({ lease: held }); await releaseProjectLock({ lease: held });");
        holder.page().navigate("about:blank");
        await().untilAsserted(() -> assertThat(other.run("return window.news.slice(1);"))
                .isEqualTo(List.of("renewing", "holding-web", "renewed", "releasing", "idle", "released", "gone")));
    }
}
