package dev.lockstep.server.page;

import com.microsoft.playwright.Browser;
import dev.lockstep.testservers.Chromium;
import org.jspecify.annotations.Nullable;

/** The browser of all page tests of this JVM, which ends with it: a start takes longer than most of the tests. */
final class SharedBrowser {
    private static @Nullable Browser browser;

    private SharedBrowser() {}

    /** Starts it at the first call. The test is skipped where there is none. */
    static Browser get() {
        if (browser == null) {
            Chromium started = Chromium.launch();
            Runtime.getRuntime().addShutdownHook(new Thread(started::close, "end of the browser"));
            browser = started.browser();
        }
        return browser;
    }
}
