package dev.lockstep.browser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What the docs show does what they say. That they show just this is checked in the module of the examples. */
@UsesChromium
class DocumentationSamplesTest {
    private static void serve(Tabs tabs, String sample) throws IOException {
        tabs.serve("/samples/" + sample, Files.readString(Path.of("samples", sample)));
    }

    @Test
    @DisplayName("autosave: saves until it is stopped, and releases the lock")
    void autosave(Tabs tabs) throws IOException {
        serve(tabs, "autosave.js");
        Tab tab = tabs.open();
        tab.start("""
                window.stop = new AbortController();
                window.shown = []; // looked at as soon as this has begun
                const { autosave } = await import('/samples/autosave.js');
                await autosave(() => 'once upon a time', stop.signal, (type) => shown.push(type));
                return [...shown, await read('text.txt')];
                """);
        await().untilAsserted(() ->
                assertThat(tab.run("return shown;")).asInstanceOf(LIST).contains("acquired"));
        tab.run("stop.abort();");
        assertThat(tab.result()).isEqualTo(List.of("acquired", "released", "once upon a time"));
    }

    @Test
    @DisplayName("autosave: a damaged .lock that is replaced doesn't end it")
    void autosaveAfterADamagedRecord(Tabs tabs) throws IOException {
        tabs.serve(
                "/samples/short.js",
                Files.readString(Path.of("samples", "autosave.js")).replace(Tabs.MODULES, "/short/"));
        tabs.shortenTerms();
        Tab tab = tabs.open();
        tab.run("await write('.lock', 'damaged');");
        tab.start("""
                window.stop = new AbortController();
                window.saves = 0;
                const { autosave } = await import('/samples/short.js');
                await autosave(() => 'save ' + ++saves, stop.signal, () => {}).catch(() => {}); // a short lease may end
                return types().filter((type) => type !== 'backoff').slice(0, 2);
                """);
        await().untilAsserted(
                        () -> assertThat((Integer) tab.run("return saves;")).isPositive());
        tab.run("stop.abort();");
        assertThat(tab.result()).isEqualTo(List.of("expired", "acquired"));
    }

    @Test
    @DisplayName("by hand: saves twice, or says that another holder has the project")
    void byHand(Tabs tabs) throws IOException {
        serve(tabs, "session.js");
        String save = """
                let saves = 0;
                const { saveOnce } = await import('/samples/session.js');
                return [await saveOnce(async () => { saves++; }), saves];
                """;
        Tab other = tabs.open();
        assertThat(tabs.open().run(save)).isEqualTo(List.of("saved", 2));
        other.acquire();
        assertThat(tabs.open().run(save)).isEqualTo(List.of("later: acquire-timeout", 0));
    }

    @Test
    @DisplayName("testing: the doubles show the end of a lease")
    void testing(Tabs tabs) throws IOException {
        String sample = Files.readString(Path.of("samples", "testing.js"));
        assertThat(sample).contains("'" + Tabs.MODULES + "testing.js'");
        tabs.serve("/samples/testing.js", sample.replace(Tabs.MODULES, Tabs.PUBLISHED));
        assertThat(tabs.open().run("return (await import('/samples/testing.js')).noticesThatItsLeaseIsOver();"))
                .isEqualTo(List.of("switch-to-fallback", "acquired", "expired"));
    }

    @Test
    @DisplayName("the package's README: the first lines, and the first test, by the package's name")
    void readme(Tabs tabs) throws IOException {
        String sample = Files.readString(Path.of("samples", "quick-start.js"));
        String bundled = sample.replaceAll("'lockstep-project-lock(/?\\w*)'", "resolve('$1')");
        assertThat(bundled).contains("resolve('')", "resolve('/testing')");
        tabs.serve("/samples/quick-start.js", bundled + """
                const resolve = (path) => path ? `/published${path}.js` : '/lockstep/project-lock/lockstep-project-lock.js';
                """);
        Object seen = tabs.open().run("""
                const { quickStart, quickTest } = await import('/samples/quick-start.js');
                const shown = [];
                await quickStart({ show: (type) => shown.push(type) }, async ({ source }) => shown.push(source));
                return [...shown, await failure(quickTest())];
                """);
        assertThat(seen).isEqualTo(List.of("acquired", "web-lock", "released", "lease-expired"));
    }
}
