package dev.lockstep.server.page;

import static com.microsoft.playwright.assertions.PlaywrightAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.Locator;
import com.microsoft.playwright.assertions.PlaywrightAssertions;
import dev.lockstep.server.RunningServer;
import dev.lockstep.testservers.TcpProxy;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

@Tag("slow")
@Tag("once")
class LivePageTest {
    private static Browser browser;
    private static RunningServer server;
    private static Api api;
    private static PageTab tab;

    private final List<String> taken = new ArrayList<>();

    @BeforeAll
    static void start() {
        PlaywrightAssertions.setDefaultAssertionTimeout(90_000);
        browser = SharedBrowser.get();
        server = RunningServer.with(
                Map.of("lockstep.server.limits.longest-wait", "10m", "lockstep.server.limits.longest-lease", "10m"));
        api = new Api(server);
        tab = PageTab.open(browser, server.url());
    }

    @AfterAll
    static void stop() {
        if (tab != null) { // without a browser the tests are skipped
            tab.close();
            server.close();
        }
    }

    @BeforeEach
    void load() {
        tab.loadAnew();
    }

    @AfterEach
    void noComplaint() {
        tab.assertQuiet();
        taken.forEach(api::release);
    }

    @Test
    @DisplayName("Without a lock the page teaches how to take one")
    void emptyStates() {
        tab.show("locks");
        assertThat(tab.find("#first-lock"))
                .containsText(server.url("/api/locks").toString());
        tab.show("waiting");
        assertThat(tab.find("#graph-empty")).isVisible();
        tab.show("try");
        assertThat(tab.find("#sale-off")).containsText("--demo");
        assertThat(tab.find("#api-document")).isVisible();
    }

    @Test
    @DisplayName("The keys that the page proposes are of the kinds that the server was configured with")
    void proposedKeys() {
        try (RunningServer other = RunningServer.with(Map.of(
                        "lockstep.kinds.order.rank", "0",
                        "lockstep.kinds.line.rank", "1",
                        "lockstep.kinds.line.parent", "order"));
                PageTab there = PageTab.open(browser, other.url())) {
            assertThat(there.show("locks").find("#first-lock")).containsText("order:o1/line:l1");
            there.show("try").find("#take-go").click();
            assertThat(there.find("#mine li")).containsText("order:o1/line:l1");
            there.assertQuiet();
        }
    }

    @Test
    @DisplayName("The tree shows holders, modes and waiters as the API tells them, and why they wait")
    void locksOfTheApi() {
        take("user:u1/account:a1/resource:r1", "exclusive", "transfer");
        take("user:u1/account:a2", "shared", "report-1");
        take("user:u1/account:a2", "shared", "report-2");
        var waiting = api.waitFor("user:u1/account:a1", "closing");
        awaitWaiters(1);
        tab.show("locks");
        assertThat(tab.find("tr[data-kind=waits]")).containsText("waits for transfer, who has held something below it");
        JsonNode view = api.get("/api/locks");
        for (JsonNode holder : Api.each(view.get("holders"))) {
            if (!holder.get("mode").asString().startsWith("I")) {
                assertThat(rowOf(holder)).containsText(holder.get("owner").asString());
                assertThat(rowOf(holder).locator(".mode"))
                        .hasAttribute("data-mode", holder.get("mode").asString());
            }
        }
        assertThat(tab.find("#locks-found"))
                .hasText("%d holders, 1 waiter"
                        .formatted(view.get("holdersFound").asInt()));
        tab.find("#locks-filter").fill("report-2");
        assertThat(tab.find("tr[data-kind=held]:not(.quiet-row)")).hasCount(1);
        releaseAll();
        taken.add(leaseOf(waiting.join().body()));
    }

    @Test
    @DisplayName("A lock that is taken over HTTP is seen soon, and so is its end")
    void soon() {
        tab.show("locks");
        assertThat(tab.find("#locks-empty")).isVisible();
        String lease = nameOf(take("user:soon", "exclusive", "quick"));
        long answered = System.nanoTime();
        tab.find("tr[data-lease='" + lease + "']").waitFor();
        long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - answered);
        System.out.println("A lock was seen on the page " + took + " ms after the answer.");
        assertThat(leftOf(lease)).as("It was seen while it was held").isPositive();
        releaseAll();
        assertThat(tab.find("#locks-empty")).isVisible();
    }

    @Test
    @DisplayName(
            "The graph has a box for each that waits or is waited for, and an arrow for each wait; so has the list")
    void graph() {
        take("user:g", "exclusive", "holder");
        var first = api.waitFor("user:g", "first");
        awaitWaiters(1);
        var second = api.waitFor("user:g", "shared", "second");
        awaitWaiters(2);
        tab.show("waiting");
        JsonNode graph = api.get("/api/locks/graph");
        assertThat(tab.find("#graph .node")).hasCount(graph.get("nodes").size());
        assertThat(tab.find("#graph .edge")).hasCount(graph.get("edges").size());
        assertThat(tab.find("#waits li")).hasCount(graph.get("edges").size());
        assertThat(tab.find("#waits")).containsText("holder at user:g, wants it exclusively");
        assertThat(tab.find("#waits")).containsText("holder at user:g, wants to share it");
        tab.find("#graph .edge").first().focus();
        assertThat(tab.find("#graph .edge").first().locator("text")).hasCSS("opacity", "1");
        releaseAll();
        api.release(leaseOf(first.join().body()));
        api.release(leaseOf(second.join().body()));
        assertThat(tab.find("#graph-empty")).isVisible();
    }

    @Test
    @DisplayName("Events are shown as they happen; type and text filter them; a pause delays them")
    void events() {
        tab.show("events");
        assertThat(tab.find("#events-state")).containsText("live");
        take("user:e1", "exclusive", "early");
        releaseAll();
        Locator mine = tab.find("#event-list li").filter(new Locator.FilterOptions().setHasText("user:e1"));
        assertThat(mine).hasCount(2);
        tab.find("#events-type").selectOption("released");
        assertThat(mine).hasCount(1);
        tab.find("#events-type").selectOption("");
        tab.find("#events-text").fill("no such words");
        assertThat(tab.find("#event-list li")).hasCount(0);
        tab.find("#events-text").fill("USER:E");
        assertThat(mine).hasCount(2);
        tab.find("#events-pause").click();
        take("user:e2", "exclusive", "late");
        assertThat(tab.find("#events-state")).containsText(Pattern.compile("[1-9][0-9,]* new since"));
        assertThat(tab.find("#event-list")).not().containsText("user:e2");
        tab.find("#events-pause").click();
        assertThat(tab.find("#event-list")).containsText("user:e2");
    }

    @Test
    @DisplayName("After a break the page says since when, and then tells what happened meanwhile, once")
    void breaks() {
        try (TcpProxy network = TcpProxy.to("127.0.0.1", server.port());
                PageTab far = PageTab.open(browser, URI.create("http://127.0.0.1:" + network.port()))) {
            far.show("events");
            assertThat(far.find("#events-state")).containsText("live");
            take("user:before", "exclusive", "walker");
            assertThat(far.find("#event-list")).containsText("user:before");
            network.refuse();
            network.cut();
            assertThat(far.find("#gone")).containsText("has not answered since");
            take("user:meanwhile", "exclusive", "walker");
            network.accept();
            assertThat(far.find("#gone")).isHidden();
            Locator told = far.find("#event-list li");
            assertThat(told.filter(new Locator.FilterOptions().setHasText("user:meanwhile")))
                    .hasCount(1);
            assertThat(told.filter(new Locator.FilterOptions().setHasText("user:before")))
                    .hasCount(1);
            far.assertQuiet();
        }
    }

    @Test
    @DisplayName("By the page a lock is taken, renewed and released; who is in the way is named")
    void trying() {
        take("user:mine", "exclusive", "somebody");
        tab.show("try");
        tab.find("#take-wait").evaluate("input => input.max = 600"); // as this server allows
        tab.find("#take-lease").evaluate("input => input.max = 600");
        tab.find("#take-keys").fill("user:mine");
        tab.find("#take-wait").fill("0.2");
        tab.find("#take-lease").fill("600");
        tab.find("#take-go").click();
        assertThat(tab.find("#take-refused")).containsText("somebody, who has held it exclusively for");
        tab.find("#take-wait").fill("600");
        tab.find("#take-go").click();
        assertThat(tab.find("#take-state")).containsText("Waiting");
        awaitWaiters(1);
        assertThat(tab.find("#take-stop")).isFocused();
        tab.find("#take-stop").click();
        awaitWaiters(0);
        assertThat(tab.find("#take-go")).isFocused();
        tab.find("#take-go").click();
        awaitWaiters(1);
        releaseAll();
        Locator mine = tab.find("#mine li");
        assertThat(mine).containsText("user:mine");
        String lease = String.valueOf(mine.getAttribute("data-lease"));
        taken.add(lease);
        Awaitility.await().until(() -> leftOf(lease) < 592_000);
        long left = leftOf(lease);
        long asked = System.nanoTime();
        mine.locator(".renew").click();
        assertThat(mine).containsText("Renewed.");
        assertThat(leftOf(lease) + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - asked))
                .isGreaterThan(left + 300);
        mine.locator(".release").click();
        assertThat(mine).hasCount(0);
        assertThat(tab.find("#mine-title")).isFocused();
        assertThat(api.get("/api/locks").get("holders").isEmpty()).isTrue();
    }

    @Test
    @DisplayName("Contention and the hottest keys are those of the API")
    void contention() {
        String lease = take("user:hot", "exclusive", "holder");
        var waiting = api.waitFor("user:hot", "waiter");
        awaitWaiters(1);
        Awaitility.await().pollDelay(Duration.ofMillis(30)).until(() -> true);
        api.release(lease);
        api.release(leaseOf(waiting.join().body()));
        taken.clear();
        JsonNode hot = Awaitility.await()
                .until(
                        () -> hottest("user:hot"),
                        found -> found.path("acquired").asInt() == 2);
        tab.show("contention");
        Locator row = tab.find("#hottest tr[data-key='user:hot']");
        assertThat(row.locator("td").nth(2)).hasText(hot.get("waits").asString());
        assertThat(row.locator("td").nth(4)).hasText(hot.get("acquired").asString());
        tab.find(".plot").first().focus();
        tab.page().keyboard().press("ArrowLeft");
        assertThat(tab.find(".tip").first()).containsText(" at ");
        tab.find("#contention-table summary").click();
        assertThat(tab.find("#contention-rows tr").first()).isVisible();
    }

    @Test
    @DisplayName("The inventory shows each stock line, its strategy and the figures of the API")
    void inventory() {
        api.receive("mug", "berlin", 1200);
        api.reserve("mug", "berlin", 340, "order-1");
        api.receive("lamp", "lyon", 5);
        api.reserve("lamp", "lyon", 5, "order-2");
        JsonNode view = Awaitility.await().until(() -> api.get("/api/inventory"), LivePageTest::isComplete);
        tab.show("inventory");
        assertThat(tab.find("#stock-rows tr")).hasCount(view.get("stock").size());
        Locator mugs = tab.find("tr[data-sku=mug][data-location=berlin]");
        assertThat(mugs.locator(".amount")).hasText("860");
        assertThat(mugs).containsText("340 set aside of 1,200");
        assertThat(mugs.locator(".strategy"))
                .hasText(lineOf(view, "mug").get("strategy").asString("–"));
        assertThat(tab.find("tr[data-sku=lamp] .amount")).hasText("sold out");
        for (Map.Entry<String, JsonNode> outcome :
                view.get("figures").get("outcomes").properties()) {
            String name = outcome.getKey().replaceAll("[-_]", " ").toLowerCase(java.util.Locale.ROOT);
            assertThat(tab.find("[data-figure='" + name + "'] dd"))
                    .hasText(outcome.getValue().asString());
        }
    }

    @Test
    @DisplayName("Arrow keys walk through the tabs; each has an address of its own")
    void keyboard() {
        tab.show("locks").find("#tab-locks").focus();
        for (String panel : PageTab.PANELS) {
            assertThat(tab.find("#tab-" + panel)).isFocused();
            assertThat(tab.find("#panel-" + panel)).isVisible();
            assertThat(tab.find("[role=tabpanel]:visible")).hasCount(1);
            tab.page().keyboard().press("ArrowRight");
        }
        assertThat(tab.find("#tab-locks")).isFocused();
        tab.page().keyboard().press("End");
        assertThat(tab.page()).hasURL(server.url("/#project-lock").toString());
        assertThat(tab.page()
                        .frameLocator("#project-lock-frame")
                        .frameLocator("iframe >> nth=0")
                        .locator("#acquire"))
                .isVisible();
        tab.page().navigate(server.url("/#inventory").toString());
        assertThat(tab.find("#panel-inventory")).isVisible();
    }

    @Test
    @DisplayName("The address that the skip link leaves shows the first panel when it is loaded again")
    void skipped() {
        tab.page().navigate(server.url("/#main").toString());
        tab.page().reload();
        tab.find("#main[data-shown=locks] #panel-locks").waitFor();
        assertThat(tab.find("#tab-locks")).hasAttribute("aria-selected", "true");
    }

    private String take(String key, String mode, String owner) {
        String lease = api.take(key, mode, owner);
        taken.add(lease);
        return lease;
    }

    private void releaseAll() {
        taken.forEach(api::release);
        taken.clear();
    }

    private Locator rowOf(JsonNode holder) {
        return tab.find("tr[data-lease='" + holder.get("leaseName").asString() + "'][data-key='"
                + holder.get("key").asString() + "']");
    }

    private static void awaitWaiters(int count) {
        Awaitility.await()
                .atMost(Duration.ofSeconds(90))
                .until(() -> api.get("/api/locks").get("waiters").size() == count);
    }

    private static long leftOf(String lease) {
        return Api.each(api.get("/api/locks").get("holders")).stream()
                .filter(each -> each.get("leaseName").asString().equals(lease))
                .mapToLong(each -> each.get("leftMs").asLong())
                .findFirst()
                .orElse(0);
    }

    /** The API's entry for a contended key. Events are counted after the response. */
    private static JsonNode hottest(String key) {
        return Api.each(api.get("/api/contention").get("hottest")).stream()
                .filter(each -> each.get("key").asString().equals(key))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    /** Whether the board, which is updated after the responses, shows every change of this test. */
    private static boolean isComplete(JsonNode inventory) {
        return Api.each(inventory.get("stock")).stream()
                        .mapToInt(each -> each.get("allocated").asInt())
                        .sum()
                == 345;
    }

    private static JsonNode lineOf(JsonNode view, String sku) {
        return Api.each(view.get("stock")).stream()
                .filter(each -> each.get("sku").asString().equals(sku))
                .findFirst()
                .orElseThrow();
    }

    /** An id without its secret. */
    private static String nameOf(String leaseId) {
        return leaseId.substring(0, leaseId.lastIndexOf('.'));
    }

    private static String leaseOf(String body) {
        return new tools.jackson.databind.json.JsonMapper()
                .readTree(body)
                .get("leaseId")
                .asString();
    }
}
