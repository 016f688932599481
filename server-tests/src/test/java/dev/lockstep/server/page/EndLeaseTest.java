package dev.lockstep.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;

import com.microsoft.playwright.Page;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.lockstep.server.RunningServer;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page ends leases of others for administrators only. */
@Tag("slow")
@Tag("once")
class EndLeaseTest {
    private static final String READ = "read-token-of-the-page-test";
    private static final String ADMIN = "admin-token-of-the-page-test";

    @TempDir
    private Path folder;

    @Test
    @DisplayName("An administrator ends a lease with a reason; a reader has no button for it")
    void endsALease() throws Exception {
        PlaywrightAssertions.setDefaultAssertionTimeout(90_000);
        Path tokens = Files.writeString(folder.resolve("tokens"), "read wall " + READ + "\nadmin ops " + ADMIN + "\n");
        try (RunningServer server = RunningServer.with(
                Map.of("lockstep.server.tokens-file", tokens, "lockstep.server.limits.longest-lease", "10m"))) {
            String lease = take(server);
            try (PageTab reader = open(server, READ)) {
                assertThat(reader.find("tr[data-key='job:1'] .owner")).containsText("worker-7");
                assertThat(reader.find("tr[data-key='job:1'] .end")).isHidden();
                reader.assertQuiet();
            }
            try (PageTab admin = open(server, ADMIN)) {
                admin.find("tr[data-key='job:1'] .end").click();
                assertThat(admin.find("#end-what")).containsText("worker-7 holds job:1");
                admin.page().screenshot(new Page.ScreenshotOptions().setPath(Path.of("target", "end-lease.png")));
                admin.find("#end-reason").fill("the worker hangs");
                admin.find("#end-form button[type=submit]").click();
                assertThat(admin.find("#locks-empty")).isVisible();
                admin.assertQuiet();
            }
            org.assertj.core.api.Assertions.assertThat(send(server, "DELETE", "/api/locks/" + lease, ""))
                    .contains("lease-revoked", "the worker hangs");
        }
    }

    private static PageTab open(RunningServer server, String token) {
        PageTab tab = PageTab.open(SharedBrowser.get(), server.url());
        tab.find("#token").fill(token);
        tab.find("#token-form button").click();
        return tab;
    }

    private static String take(RunningServer server) throws IOException, InterruptedException {
        String body = "{\"keys\":[\"job:1\"],\"leaseMs\":600000,\"owner\":\"worker-7\"}";
        return send(server, "POST", "/api/locks", body).replaceFirst("(?s).*\"leaseId\":\"([^\"]+)\".*", "$1");
    }

    private static String send(RunningServer server, String method, String path, String body)
            throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(server.url(path))
                .header("Authorization", "Bearer " + ADMIN)
                .header("Content-Type", "application/json")
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }
}
