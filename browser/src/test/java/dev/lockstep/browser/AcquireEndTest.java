package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Route;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** How a wait for the lock ends: by its signal, by its time, and where the page can't have the lock at all. */
@UsesChromium
class AcquireEndTest {
    @Test
    @DisplayName("An abort at any moment is web-lock-aborted, and leaves no record")
    void abortAtAnyMoment(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const answers = [];
                        const left = [];
                        for (const entry of [MockNavigatorLocks.unsupported(), MockNavigatorLocks.denied(), 'stuck', 'in turn']) {
                          for (let moments = 0; moments < 12; moments++) {
                            const controller = new AbortController();
                            const clock = new FakeClock();
                            const file = new InMemoryOpfsFile();
                            const lock = createProjectLock({ locks: new MockNavigatorLocks([entry]), file, clock, log });
                            const acquired = lock.acquireProjectLock({ signal: controller.signal })
                              .then(() => 'granted', (error) => `${error.name} ${error.code}`);
                            for (let i = 0; i < moments; i++) await null;
                            controller.abort();
                            answers.push(await acquired);
                            await clock.advance(0); // the record is removed in the background
                            if (file.text !== undefined) left.push(`${entry} after ${moments}: ${file.text}`);
                          }
                        }
                        return [...new Set([...answers, ...left])].sort();
                        """);
        assertThat(seen).isEqualTo(List.of("ProjectLockError web-lock-aborted"));
    }

    @Test
    @DisplayName("acquire-failed and switch-to-fallback say how many attempts there were")
    void attempts(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const clock = new FakeClock();
                        const file = InMemoryOpfsFile.holding('other', clock.now() + 10_000);
                        const lock = createProjectLock({ file, clock, log });
                        const probe = new EventProbe(lock.subscribeLockEvents);
                        const acquired = failure(lock.acquireProjectLock({ maxWaitMs: 500 }));
                        await clock.advance(500);
                        return [await acquired, ...probe.events.map(({ type, attempt }) => type + ' ' + attempt)];
                        """);
        assertThat(seen)
                .isEqualTo(List.of(
                        "acquire-timeout", "switch-to-fallback 1", "backoff 1", "backoff 2", "acquire-failed 3"));
    }

    @Test
    @DisplayName("A worker that never starts doesn't prolong the wait: acquire-timeout")
    void workerThatNeverStarts(Tabs tabs) {
        tabs.serveModules("/silent/", "lockstep-project-lock-worker.js", "crippled-worker.js");
        tabs.serve("/silent/lockstep-project-lock-worker.js", "onmessage = () => {};");
        tabs.shortenLastAttempt("/silent/");
        tabs.useModules("/silent/");
        Tab tab = tabs.open();
        assertThat(tab.run("return [await failure(acquireProjectLock({ maxWaitMs: 100 })), types()];"))
                .isEqualTo(List.of("acquire-timeout", List.of("acquire-failed")));
    }

    @Test
    @DisplayName("A page that is not secure can be loaded; its acquire is fallback-open-failed and says what to do")
    void insecurePage(Tabs tabs) {
        tabs.context().route("http://insecure.example/**", route -> {
            String path = URI.create(route.request().url()).getPath();
            route.fulfill(new Route.FulfillOptions()
                    .setResponse(route.fetch(
                            new Route.FetchOptions().setUrl(tabs.server().url(path)))));
        });
        Tab tab = new Tab(tabs.context().newPage());
        tab.page().navigate("http://insecure.example/blank.html");
        assertThat(
                        tab.run(
                                "return [isSecureContext, await failure(acquireProjectLock()), Boolean(crypto.randomUUID), types()];"))
                .isEqualTo(
                        List.of(false, "fallback-open-failed", false, List.of("switch-to-fallback", "acquire-failed")));
        assertThat(tab.console())
                .last()
                .asString()
                .contains("The origin private file system can't be used here", "https", "localhost");
    }

    @Test
    @DisplayName("A damaged .lock that is replaced is an expired without a lease, marked as replacedRecord")
    void replacedRecord(Tabs tabs) {
        Object seen = tabs.open().runOnDoubles("""
                        const clock = new FakeClock();
                        const lock = createProjectLock({ file: new InMemoryOpfsFile('damaged'), clock, log });
                        const probe = new EventProbe(lock.subscribeLockEvents);
                        const acquired = lock.acquireProjectLock({ maxWaitMs: Infinity });
                        await clock.advance(20_000);
                        await acquired;
                        await clock.advance(15_000);
                        return probe.of('expired').map(({ lease, replacedRecord }) => [Boolean(lease), replacedRecord]);
                        """);
        assertThat(seen).isEqualTo(List.of(List.of(false, true), Arrays.asList(true, null)));
    }
}
