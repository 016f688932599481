package dev.lockstep.browser;

import com.microsoft.playwright.BrowserContext;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The tabs of one test: a browser profile and an origin of their own. */
final class Tabs implements AutoCloseable {
    /** Where the modules are. A test may put another file in the place of one of them. */
    static final String MODULES = "/lockstep/project-lock/";

    /** The modules as they are published, with the terms and waits that users get. For test doubles, whose clock is moved. */
    static final String PUBLISHED = "/published/";

    /**
     * The times that a busy machine exceeds, per module. Elsewhere than in {@link #PUBLISHED} they are longer: a wait exceeds
     * every standstill, and a lease outlasts every wait, so that a lock that is acquired was released.
     */
    private static final Map<String, Map<String, String>> LONGER_TIMES = Map.of(
            "options.js",
            Map.of("const TERM_MS = 15_000", "const TERM_MS = 600_000", "MAX_WAIT_MS = 5000", "MAX_WAIT_MS = 90_000"),
            "worker-link.js",
            Map.of(
                    "START_PATIENCE_MS = 10_000",
                    "START_PATIENCE_MS = 90_000",
                    "ANSWER_PATIENCE_MS = 5000",
                    "ANSWER_PATIENCE_MS = 90_000"),
            "acquisition.js",
            Map.of("LAST_ATTEMPT_MS = 4000", "LAST_ATTEMPT_MS = 90_000"),
            "opfs-files.js",
            Map.of("GUARD_PATIENCE_MS = 2000", "GUARD_PATIENCE_MS = 90_000"));

    static final String WITHOUT_WEB_LOCKS =
            "Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });";

    private final BrowserContext context;
    private final PageServer server;
    private final Map<String, byte[]> served = new ConcurrentHashMap<>();
    private final Map<String, String> copies = new ConcurrentHashMap<>();
    private final Set<String> removed = ConcurrentHashMap.newKeySet();

    Tabs(BrowserContext context) throws IOException {
        this.context = context;
        this.server = PageServer.start(0, this::file);
        context.setDefaultTimeout(90_000);
        serve("/favicon.ico", "");
        serve("/blank.html", "<!doctype html><title>tab</title>");
    }

    /** A tab with an empty page. */
    Tab open() {
        return open("/blank.html");
    }

    Tab open(String path) {
        return open(path, "");
    }

    /** A tab whose page runs a script before everything else. */
    Tab open(String path, String firstScript) {
        Tab tab = new Tab(context.newPage());
        tab.page().addInitScript(firstScript);
        tab.page().navigate(server.url(path));
        return tab;
    }

    /** A tab in a browser without Web Locks. */
    Tab openWithoutWebLocks() {
        return open("/blank.html", WITHOUT_WEB_LOCKS);
    }

    /** Lets every page that is opened from now on run a script first. */
    void beforeEachPage(String script) {
        context.addInitScript(script);
    }

    /** Serves something else at a path from now on. */
    void serve(String path, String content) {
        served.put(path, content.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Serves a second copy of the modules under another folder, with a file of the tests in the place of one;
     * it finds the one it replaces under the name {@code original-...}.
     */
    void serveModules(String folder, String replacedModule, String testFile) {
        serve(folder + replacedModule, text(testFile));
        serve(folder + "original-" + replacedModule, module(replacedModule));
        copies.put(folder, MODULES);
    }

    /** Serves nothing at a path from now on. */
    void remove(String path) {
        removed.add(path);
    }

    /** Lets pages that are opened from now on use leases of 1.5 s. Only for leases that are to end: nothing may rely on one. */
    void shortenTerms() {
        useTerms("/short/", 1_500);
    }

    /** Lets pages that are opened from now on use leases of this many milliseconds, from a folder of their own. */
    void useTerms(String folder, int ms) {
        serve(
                folder + "options.js",
                replaced(module("options.js"), "const TERM_MS = 600_000", "const TERM_MS = " + ms));
        copies.put(folder, MODULES);
        useModules(folder);
    }

    /** Lets pages that are opened from now on use leases of 1.5 s, and give a silent worker up after the published time. */
    void shortenTermsAndPatience() {
        shortenTerms();
        serve("/short/worker-link.js", published("worker-link.js"));
    }

    /** Lets pages that are opened from now on end the last attempt of a wait after the published time. */
    void shortenLastAttempt(String folder) {
        serve(folder + "acquisition.js", published("acquisition.js"));
    }

    /** Lets pages that are opened from now on renew after a second, long before the lease ends. */
    void renewEarly() {
        serve("/renewing/project-lock.js", replaced(module("project-lock.js"), "termMs / 3", "1000"));
        copies.put("/renewing/", MODULES);
        useModules("/renewing/");
    }

    /** Lets pages that are opened from now on use the modules of another folder. */
    void useModules(String folder) {
        beforeEachPage("window.lockstepModules = '" + folder + "lockstep-project-lock.js';");
    }

    BrowserContext context() {
        return context;
    }

    PageServer server() {
        return server;
    }

    @Override
    public void close() {
        context.close();
        server.close();
    }

    private Optional<byte[]> file(String path) {
        if (removed.contains(path)) {
            return Optional.empty();
        }
        byte[] other = served.get(path);
        if (other != null) {
            return Optional.of(other);
        }
        if (path.startsWith(PUBLISHED)) {
            return PageFiles.ofThisJar().at(MODULES + path.substring(PUBLISHED.length()));
        }
        String original = original(path);
        String module = original.startsWith(MODULES) ? original.substring(MODULES.length()) : "";
        return LONGER_TIMES.containsKey(module)
                ? Optional.of(module(module).getBytes(StandardCharsets.UTF_8))
                : PageFiles.ofThisJar().at(original);
    }

    private static String module(String name) {
        String text = published(name);
        for (Map.Entry<String, String> time :
                LONGER_TIMES.getOrDefault(name, Map.of()).entrySet()) {
            text = replaced(text, time.getKey(), time.getValue());
        }
        return text;
    }

    private static String published(String module) {
        return new String(PageFiles.ofThisJar().at(MODULES + module).orElseThrow(), StandardCharsets.UTF_8);
    }

    private static String replaced(String text, String old, String now) {
        if (!text.contains(old)) {
            throw new IllegalArgumentException("The module does not contain \"" + old + "\".");
        }
        return text.replace(old, now);
    }

    private String original(String path) {
        return copies.entrySet().stream()
                .filter(copy -> path.startsWith(copy.getKey()))
                .findFirst()
                .map(copy -> copy.getValue() + path.substring(copy.getKey().length()))
                .orElse(path);
    }

    private static String text(String testFile) {
        try (InputStream in = Tabs.class.getResourceAsStream(testFile)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
