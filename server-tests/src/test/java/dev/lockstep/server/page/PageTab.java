package dev.lockstep.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserContext;
import com.microsoft.playwright.ConsoleMessage;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.options.ColorScheme;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** The live page in a tab of its own. Notes whatever a page should not do: errors, and requests to other places. */
final class PageTab implements AutoCloseable {
    static final List<String> PANELS =
            List.of("locks", "waiting", "events", "contention", "inventory", "try", "project-lock");

    private static final double PATIENCE = 90_000;

    private final BrowserContext context;
    private final Page page;
    private final List<String> complaints = new CopyOnWriteArrayList<>();

    private final URI server;

    private PageTab(BrowserContext context, URI server) {
        this.context = context;
        this.server = server;
        context.setDefaultTimeout(PATIENCE);
        page = context.newPage();
        page.onConsoleMessage(this::hear);
        page.onPageError(complaints::add);
        page.onRequest(request -> {
            if (!request.url().startsWith(server.toString())) {
                complaints.add("a request to " + request.url());
            }
        });
        page.navigate(server.toString());
    }

    static PageTab open(Browser browser, URI server) {
        return new PageTab(browser.newContext(), server);
    }

    /** Loads the page as a new tab does, and forgets what was noted. A new tab takes a process of the browser, and thus longer. */
    void loadAnew() {
        page.evaluate("sessionStorage.clear()");
        page.navigate(server.toString());
        complaints.clear();
    }

    /** One of this size and these colours. */
    static PageTab open(Browser browser, URI server, int width, int height, ColorScheme colours) {
        return new PageTab(
                browser.newContext(new Browser.NewContextOptions()
                        .setViewportSize(width, height)
                        .setColorScheme(colours)),
                server);
    }

    /** Shows a panel as its tab does, with what the server says. */
    PageTab show(String panel) {
        page.locator("html[data-ready]").waitFor();
        page.locator("#tab-" + panel).click();
        page.locator("#main[data-shown=" + panel + "] #panel-" + panel).waitFor();
        return this;
    }

    Page page() {
        return page;
    }

    Locator find(String selector) {
        return page.locator(selector);
    }

    /** Fails if the page complained, or asked elsewhere. */
    void assertQuiet() {
        assertThat(complaints).isEmpty();
    }

    @Override
    public void close() {
        context.close();
    }

    /** Chromium reports each answer from 400 on; those the tests ask for are no mistakes of the page. */
    private void hear(ConsoleMessage message) {
        if ("error".equals(message.type()) && !message.text().startsWith("Failed to load resource")) {
            complaints.add(message.text());
        }
    }
}
