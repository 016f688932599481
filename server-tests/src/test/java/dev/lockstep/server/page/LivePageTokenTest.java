package dev.lockstep.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.lockstep.server.RunningServer;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
@Tag("once")
class LivePageTokenTest {
    @Test
    @DisplayName("A server with a token is asked with it; a wrong one is asked for again")
    void token() {
        PlaywrightAssertions.setDefaultAssertionTimeout(90_000);
        try (RunningServer server =
                        RunningServer.with(Map.of("lockstep.server.token", "open-sesame-for-tests-of-the-page"));
                PageTab tab = PageTab.open(SharedBrowser.get(), server.url())) {
            assertThat(tab.find("#token-form")).isVisible();
            assertThat(tab.find("#panels")).isHidden();
            enter(tab, "open-sesame-→");
            assertThat(tab.find("#token-wrong")).containsText("can't be the token");
            enter(tab, "wrong");
            assertThat(tab.find("#token-wrong")).containsText("does not know this token");
            enter(tab, "open-sesame-for-tests-of-the-page");
            assertThat(tab.find("#locks-empty")).isVisible();
            assertThat(tab.find("#token-form")).isHidden();
            assertThat(tab.find("#api-document")).isHidden();
            assertThat(tab.show("events").find("#events-state")).containsText("live");
            tab.page().reload();
            assertThat(tab.show("locks").find("#first-lock")).containsText("Bearer $LOCKSTEP_TOKEN");
            tab.assertQuiet();
        }
    }

    private static void enter(PageTab tab, String token) {
        tab.find("#token").fill(token);
        tab.find("#token-form button").click();
    }
}
