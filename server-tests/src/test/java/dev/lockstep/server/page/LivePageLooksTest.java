package dev.lockstep.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.LocatorAssertions;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import dev.lockstep.server.RunningServer;
import dev.lockstep.testservers.Scale;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("slow")
@Tag("once")
class LivePageLooksTest {
    /** What axe finds, each with the elements it is about. The colours of a picture in the making are no subject. */
    private static final String FINDINGS = """
            () => axe.run(document, { iframes: false }).then(({ violations }) =>
              violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => `${node.html} ${node.failureSummary}`).join(' | ')}`))
            """;

    private static Browser browser;
    private static RunningServer server;
    private static String axe;

    @BeforeAll
    static void start() throws IOException {
        PlaywrightAssertions.setDefaultAssertionTimeout(90_000);
        browser = SharedBrowser.get();
        server = RunningServer.with(Map.of("lockstep.server.demo", true));
        try (InputStream script = Objects.requireNonNull(
                LivePageLooksTest.class.getResourceAsStream("/axe.min.js"), "axe.min.js is not on the class path")) {
            axe = new String(script.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @AfterAll
    static void stop() {
        if (server != null) { // without a browser the tests are skipped
            server.close();
        }
    }

    /** Each size and each colour scheme; in a long run every pair of them. */
    static List<Arguments> appearances() {
        return List.of(
                        Arguments.of(1280, 800, ColorScheme.LIGHT),
                        Arguments.of(390, 844, ColorScheme.DARK),
                        Arguments.of(1280, 800, ColorScheme.DARK),
                        Arguments.of(390, 844, ColorScheme.LIGHT))
                .subList(0, Scale.pick(2, 4));
    }

    @ParameterizedTest
    @MethodSource("appearances")
    @DisplayName("Every panel is pictured, fits its window, and has nothing that axe objects to")
    void looks(int width, int height, ColorScheme colours) {
        try (PageTab tab = PageTab.open(browser, server.url(), width, height, colours)) {
            tab.page().evaluate(axe);
            for (String panel : PageTab.PANELS) {
                tab.show(panel);
                picture(
                        tab.page(),
                        panel
                                + (width > 800 ? "-wide-" : "-phone-")
                                + colours.name().toLowerCase(Locale.ROOT));
                assertThat(tab.page().evaluate("document.documentElement.scrollWidth - innerWidth"))
                        .as("How much of %s is cut off", panel)
                        .isEqualTo(0);
                assertThat((Iterable<?>) tab.page().evaluate(FINDINGS))
                        .as(panel)
                        .isEmpty();
            }
            tab.assertQuiet();
        }
    }

    @Test
    @DisplayName("A flash sale is run from the page: it sells what there is, and never more")
    void flashSale() {
        try (PageTab tab = PageTab.open(browser, server.url())) {
            tab.show("try");
            tab.find("#sale-stock").fill("50");
            tab.find("#sale-buyers").fill("20");
            tab.find("#sale-orders").fill("400");
            assertThat(tab.find("#sale-go")).isEnabled(new LocatorAssertions.IsEnabledOptions().setTimeout(120_000));
            tab.find("#sale-go").click();
            assertThat(tab.find("[data-figure=answered] dd"))
                    .hasText("400 of 400", new LocatorAssertions.HasTextOptions().setTimeout(120_000));
            assertThat(tab.find("[data-figure=reserved] dd")).hasText("50 of 50");
            assertThat(tab.find("[data-figure=oversold] dd")).hasText("never");
            tab.assertQuiet();
        }
    }

    private static void picture(Page page, String name) {
        page.screenshot(new Page.ScreenshotOptions().setPath(Path.of("target", "screenshots", name + ".png")));
    }
}
