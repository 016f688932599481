package dev.lockstep.testservers;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Debian's Chromium, driven by Playwright, which the tests that use it have to bring. */
public final class Chromium implements AutoCloseable {
    private static final List<Path> PROGRAMS =
            List.of(Path.of("/usr/bin/chromium"), Path.of("/usr/bin/chromium-browser"));

    private static final double PATIENCE_MS = 180_000;

    private final Playwright playwright;
    private final Browser browser;

    private Chromium(Playwright playwright, Browser browser) {
        this.playwright = playwright;
        this.browser = browser;
    }

    /** Starts one, without a window. */
    public static Chromium launch() {
        BrowserType.LaunchOptions options = new BrowserType.LaunchOptions()
                .setExecutablePath(program(PROGRAMS, System.getenv()))
                .setArgs(flags())
                .setTimeout(PATIENCE_MS);
        Playwright playwright = playwright();
        return new Chromium(playwright, playwright.chromium().launch(options));
    }

    /** The driver alone, for tests that start the browser in their own way. */
    public static Playwright playwright() {
        return Playwright.create(
                new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1")));
    }

    /** Where it is installed. */
    public static Path program() {
        return program(PROGRAMS, System.getenv());
    }

    /** The first that is there. Aborts the test where none is; that is an error where CI is set. */
    static Path program(List<Path> programs, Map<String, String> environment) {
        return programs.stream().filter(Files::isExecutable).findFirst().orElseThrow(() -> missing(environment));
    }

    /** What it is started with: nothing that goes out to the network by itself. */
    public static List<String> flags() {
        return List.of(
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync");
    }

    public Browser browser() {
        return browser;
    }

    @Override
    public void close() {
        browser.close();
        playwright.close();
    }

    private static RuntimeException missing(Map<String, String> environment) {
        return Platform.notTested(
                "there is no Chromium on this machine. Debian, Ubuntu: apt-get install chromium", environment);
    }
}
