package dev.lockstep.browser;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Frame;
import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import com.microsoft.playwright.options.ColorScheme;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The demo page, as a user sees it. {@code -Dlockstep.screenshot=FILE.png} keeps the pictures, light and dark. */
@UsesChromium
class DemoTest {
    @BeforeAll
    static void waitPatiently() {
        PlaywrightAssertions.setDefaultAssertionTimeout(90_000);
    }

    @Test
    @DisplayName(
            "One tab edits and saves, the other one waits, reads along, and takes over; nothing is asked of other hosts")
    void twoTabs(Tabs tabs) {
        List<String> foreign = new ArrayList<>();
        tabs.context().onRequest(request -> {
            if (!request.url().startsWith(tabs.server().url("/"))) {
                foreign.add(request.url());
            }
        });
        Tab first = tabs.open(DemoServer.PAGE);
        Tab second = tabs.open(DemoServer.PAGE);
        click(first.page(), "#acquire");
        assertThat(first.page().locator("#state")).hasText("held by Web Lock");
        first.page().locator("#text").fill("Chapter one");
        assertThat(first.page().locator("#saved")).containsText("saved at");
        assertThat(second.page().locator("#text")).hasValue("Chapter one");
        assertThat(second.page().locator("#text")).not().isEditable();
        assertThat(second.page().locator("#others")).containsText("held by Web Lock");
        click(second.page(), "#acquire");
        assertThat(second.page().locator("#state")).hasText("waiting");
        click(first.page(), "#release");
        assertThat(second.page().locator("#state")).hasText("held by Web Lock");
        assertThat(second.page().locator("#text")).isEditable();
        assertThat(foreign).isEmpty();
        assertThat(first.console()).isEmpty();
        assertThat(second.console()).isEmpty();
    }

    @Test
    @DisplayName("With Web Locks switched off the lease file decides, and renewing works by hand")
    void withoutWebLocks(Tabs tabs) {
        Page page = tabs.open(DemoServer.PAGE).page();
        click(page, "#web-locks");
        page.waitForURL("**web-locks=off");
        click(page, "#acquire");
        assertThat(page.locator("#state")).hasText("held by lease file");
        click(page, "#renew");
        assertThat(page.locator("#events")).containsText("renewed");
        assertThat(page.locator("#events")).containsText("switch-to-fallback");
    }

    @Test
    @DisplayName("Side by side, two frames are two holders: the picture of the docs")
    void sideBySide(Tabs tabs) throws IOException {
        Page page = tabs.open(DemoServer.PAGE + "side-by-side.html").page();
        page.setViewportSize(1280, 760);
        Frame left = frame(page, "left");
        Frame right = frame(page, "right");
        left.locator("#acquire").click();
        left.locator("#text")
                .fill(
                        "Meeting notes\n\n- The left tab holds the lock, so it may write.\n- The right one reads along, and waits for its turn.");
        assertThat(left.locator("#saved")).containsText("saved at");
        right.locator("#acquire").click();
        assertThat(right.locator("#state")).hasText("waiting");
        assertThat(right.locator("#events")).containsText("attempt 3");
        Path picture = Path.of(System.getProperty(
                "lockstep.screenshot", System.getProperty("java.io.tmpdir") + "/project-lock-demo.png"));
        assertThat(shot(page, ColorScheme.LIGHT, picture)).isNotEqualTo(shot(page, ColorScheme.DARK, dark(picture)));
    }

    private static void click(Page page, String button) {
        page.locator("html[data-ready] " + button).click();
    }

    private static Frame frame(Page page, String name) {
        Frame frame = page.frameByUrl("**name=" + name);
        frame.waitForSelector("html[data-ready]");
        return frame;
    }

    private static byte[] shot(Page page, ColorScheme scheme, Path file) throws IOException {
        page.emulateMedia(new Page.EmulateMediaOptions().setColorScheme(scheme));
        byte[] png = page.screenshot();
        if (file.getParent() != null) {
            Files.createDirectories(file.getParent());
        }
        Files.write(file, png);
        return png;
    }

    private static Path dark(Path light) {
        return light.resolveSibling(light.getFileName().toString().replaceFirst("(\\.png)?$", "-dark.png"));
    }
}
