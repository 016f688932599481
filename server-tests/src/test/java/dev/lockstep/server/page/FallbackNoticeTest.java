package dev.lockstep.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.server.AwayStore;
import dev.lockstep.server.RunningServer;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@Tag("once")
class FallbackNoticeTest {
    private static final double LONG = 90_000;

    private static Browser browser;

    @BeforeAll
    static void start() {
        PlaywrightAssertions.setDefaultAssertionTimeout(LONG);
        browser = SharedBrowser.get();
    }

    @Test
    @DisplayName("A switch and the way back are shown at the top, and the usual state is not")
    void thereAndBack() {
        try (RunningServer server = RunningServer.onAPair();
                PageTab tab = PageTab.open(browser, server.url(), 1280, 800, ColorScheme.LIGHT)) {
            tab.show("events");
            assertThat(tab.find("#fallback")).isHidden();
            AwayStore primary = server.bean("primary", AwayStore.class);
            primary.leave();
            server.passTimeUntil(state -> state.grants() == Grants.QUIET);
            says(tab, "No lock is granted since", "locks move to database");
            assertThat(tab.find("#fallback-left")).containsText("at most");
            picture(tab, "fallback-quiet-light");
            server.passTimeUntil(state -> state.grants() == Grants.YES);
            says(tab, "Locks are on database, the fallback, since", "redis can’t be reached");
            assertThat(tab.find("#fallback-left")).hasText("");
            assertThat(tab.find("li[data-type=switch-to-fallback] .text").first())
                    .containsText("Locks move to database");
            tab.page().emulateMedia(new Page.EmulateMediaOptions().setColorScheme(ColorScheme.DARK));
            picture(tab, "fallback-on-secondary-dark");
            primary.comeBack();
            server.passTimeUntil(state -> !state.onSecondary() && state.grants() == Grants.YES);
            assertThat(tab.find("li[data-type=switch-back]").first()).isVisible();
            assertThat(tab.find("#fallback")).isHidden();
            tab.assertQuiet();
        }
    }

    @Test
    @DisplayName("A pair that grants nothing without its fallback says so")
    void stopped() {
        try (RunningServer server = RunningServer.onAPair();
                PageTab tab = PageTab.open(browser, server.url(), 390, 844, ColorScheme.LIGHT)) {
            tab.show("locks");
            server.bean("secondary", AwayStore.class).leave();
            server.passTimeUntil(state -> state.grants() == Grants.STOPPED);
            says(tab, "No lock is granted: database", "does not answer");
            assertThat(tab.find("#fallback")).hasClass("notice bad");
            assertThat(tab.find("#fallback-now")).hasAttribute("role", "status");
            picture(tab, "fallback-stopped-phone");
            assertThat(tab.page().evaluate("document.documentElement.scrollWidth - innerWidth"))
                    .isEqualTo(0);
            tab.assertQuiet();
        }
    }

    private static void says(PageTab tab, String... parts) {
        for (String part : parts) {
            assertThat(tab.find("#fallback-now")).containsText(part);
        }
    }

    private static void picture(PageTab tab, String name) {
        tab.page().screenshot(new Page.ScreenshotOptions().setPath(Path.of("target", "screenshots", name + ".png")));
    }
}
