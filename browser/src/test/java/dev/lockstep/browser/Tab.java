package dev.lockstep.browser;

import com.microsoft.playwright.CDPSession;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Frame;
import com.microsoft.playwright.Page;
import java.util.ArrayList;
import java.util.List;

/** One tab of the browser, or a frame in it. Scripts are bodies of async functions that can use the API by its names. */
final class Tab {
    private static final String PREPARE = """
            window.lockstep ??= (async () => {
              const api = await import(window.lockstepModules ?? '/lockstep/project-lock/lockstep-project-lock.js');
              const events = [];
              api.subscribeLockEvents(({ type, lease, error, attempt, delayMs }) =>
                events.push({ type, source: lease?.source, code: error?.code, attempt, delayMs }));
              window.held = undefined;
              const types = () => events.map(({ type }) => type);
              const failure = async (promise) => promise.then(() => 'no error', (error) => error.code ?? error.name);
              const project = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('project', { create: true });
              const read = async (name) =>
                (await (await (await project()).getFileHandle(name)).getFile()).text().catch((error) => error.name);
              const write = async (name, text) => {
                const file = await (await (await project()).getFileHandle(name, { create: true })).createWritable();
                await file.write(text);
                await file.close();
              };
              const names = async (directory) => {
                const found = [];
                for await (const name of directory.keys()) found.push(name);
                return found.sort();
              };
              const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
              return { ...api, events, types, failure, project, read, write, names, wait };
            })();
            const {
              acquireProjectLock, renewProjectLock, releaseProjectLock, withProjectLock, subscribeLockEvents,
              ProjectLockError, events, types, failure, project, read, write, names, wait,
            } = await window.lockstep;
            """;

    private static final String DOUBLES = """
            const { MockNavigatorLocks, InMemoryOpfsFile, FakeClock, EventProbe, createProjectLock } =
              await import('/published/testing.js');
            const failure = async (promise) => promise.then(() => 'no error', (error) => error.code ?? error.name);
            const logged = [];
            const level = (name) => (text) => logged.push(name + ' ' + /\\(([a-z-]+)\\)$/.exec(text)?.[1]);
            const log = { info: level('info'), warn: level('warn'), error: level('error') };
            """;

    private final Frame frame;
    private final List<String> console = new ArrayList<>();

    Tab(Page page) {
        this(page.mainFrame());
        page.onConsoleMessage(this::note);
    }

    Tab(Frame frame) {
        this.frame = frame;
    }

    /** Runs a script to its end. Answers what it returns. */
    Object run(String script) {
        return run(script, null);
    }

    Object run(String script, Object given) {
        return evaluate(PREPARE + script, given);
    }

    /** Runs a script on test doubles alone: it can use their names, {@code failure}, and {@code log}, which writes to {@code logged}. */
    Object runOnDoubles(String script) {
        return evaluate(DOUBLES + script, null);
    }

    /** Starts a script and goes on. Its end is awaited by {@link #result}. */
    void start(String script) {
        run("window.started = (async () => {" + script + "})(); window.started.catch(() => {});");
    }

    Object result() {
        return evaluate("return window.started;", null);
    }

    /** Acquires and keeps the lease in {@code held}; answers the lease's source. */
    Object acquire() {
        return run("window.held = (await acquireProjectLock()).lease; return held.source;");
    }

    /** The types of the events so far. */
    Object types() {
        return run("return types();");
    }

    /** What was logged, as "level: text". */
    List<String> console() {
        return List.copyOf(console);
    }

    Page page() {
        return frame.page();
    }

    /** Freezes the tab, as browsers do with tabs in the background, or thaws it. */
    void freeze(boolean isFrozen) {
        CDPSession session = page().context().newCDPSession(page());
        com.google.gson.JsonObject state = new com.google.gson.JsonObject();
        state.addProperty("state", isFrozen ? "frozen" : "active");
        session.send("Page.setWebLifecycleState", state);
        session.detach();
    }

    /** Playwright would wait for ever for a script that does. */
    private Object evaluate(String body, Object given) {
        String limit = "new Promise((_, fail) => setTimeout(() => fail(new Error('the script did not end')), 180_000))";
        return frame.evaluate("(given) => Promise.race([(async () => {" + body + "})(), " + limit + "])", given);
    }

    private void note(ConsoleMessage message) {
        console.add(message.type() + ": " + message.text());
    }
}
