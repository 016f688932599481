package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/** Runs the examples of the inventory as ./lockstep does: in memory. */
@Timeout(300)
@Isolated("what examples print is read from System.out")
class InventoryExamplesTest {
    private static final String[] IN_MEMORY = {};

    @Test
    void quickStart() throws Exception {
        quickStart(IN_MEMORY);
    }

    static void quickStart(String... url) throws Exception {
        assertThat(ExamplesTest.run("InventoryQuickStart", url))
                .containsExactly(
                        "Your items are reserved.",
                        "true",
                        "[Stock[key=SHIRT-001 at TOKYO, physical=8, allocated=0, version=3, safety=0]]");
    }

    @Test
    void flashSale() throws Exception {
        flashSale(IN_MEMORY);
    }

    static void flashSale(String... url) throws Exception {
        List<String> lines = ExamplesTest.run("FlashSale", url);
        assertThat(lines).filteredOn(line -> line.startsWith("order-")).hasSize(10);
        assertThat(lines)
                .anyMatch(line -> line.endsWith(": ご注文の商品を確保しました。"))
                .anyMatch(line -> line.endsWith(": 주문하신 상품을 확보했습니다."))
                .anyMatch(line -> line.endsWith(": Your items are reserved."))
                .anyMatch(line -> line.matches("6\\d others: 申し訳ございません。この商品は在庫切れです。"))
                .anyMatch(line -> line.matches("6\\d others: 죄송합니다. 이 상품은 품절되었습니다."))
                .anyMatch(line -> line.matches("6\\d others: Sorry, this item is sold out."))
                .endsWith("0 left")
                .hasSize(14);
    }

    @Test
    void checkout() throws Exception {
        checkout(IN_MEMORY);
    }

    static void checkout(String... url) throws Exception {
        assertThat(ExamplesTest.run("Checkout", url))
                .containsExactly(
                        "order-1: The items have been shipped.",
                        "order-2: Sorry, there is only 1 left.",
                        "no-money: Your card was refused.",
                        "the money of too-slow goes back",
                        "too-slow: This reservation has expired.",
                        "3 shirts left");
    }

    @Test
    void asyncInventory() throws Exception {
        asyncInventory(IN_MEMORY);
    }

    static void asyncInventory(String... url) throws Exception {
        assertThat(ExamplesTest.run("AsyncInventory", url)).containsExactly("reserved order-1", "Cancelled");
    }

    @Test
    void afterARestart() throws Exception {
        afterARestart(IN_MEMORY);
    }

    static void afterARestart(String... url) throws Exception {
        assertThat(ExamplesTest.run("AfterARestart", url))
                .containsExactly(
                        "it was done",
                        "Reserved, once:",
                        "Stock[key=SHIRT-001 at TOKYO, physical=10, allocated=2, version=2, safety=0]");
    }

    @Test
    void searchIndex() throws Exception {
        searchIndex(IN_MEMORY);
    }

    static void searchIndex(String... url) throws Exception {
        assertThat(ExamplesTest.run("SearchIndex", url))
                .containsExactly(
                        "3 changes: SHIRT-001 has 8, HAT-001 has 5",
                        "2 changes: SHIRT-001 has 8, HAT-001 has 1",
                        "0 changes: SHIRT-001 has 8, HAT-001 has 1");
    }

    @Test
    void inventoryStrategies() throws Exception {
        assertThat(ExamplesTest.run("InventoryStrategies"))
                .containsExactly(
                        "SHIRT-001 at TOKYO: OPTIMISTIC because there were no conflicts",
                        "SHIRT-001 at TOKYO: LOCKED because it is set for all stock");
    }

    @Test
    void inventoryAlerts() throws Exception {
        inventoryAlerts(IN_MEMORY);
    }

    static void inventoryAlerts(String... url) throws Exception {
        assertThat(ExamplesTest.run("InventoryAlerts", url))
                .anyMatch(line -> line.startsWith("Negative stock: of SHIRT-001 at TOKYO there are 10 in stock"
                        + " and 12 reserved, so -2 to sell"))
                .contains("heard of it")
                .anyMatch(line -> line.contains("NegativeStock=1"));
    }

    @Test
    void reconcileAndRepair() throws Exception {
        reconcileAndRepair(IN_MEMORY);
    }

    static void reconcileAndRepair(String... url) throws Exception {
        assertThat(ExamplesTest.run("ReconcileAndRepair", url))
                .containsExactly(
                        "SHIRT-001 at TOKYO has 15 in stock and 0 reserved (version 1), but its ledger ends with"
                                + " 10 in stock and 0 reserved (version 1).",
                        "Count what there is. If the ledger is right, repair it FROM_LEDGER; if the row is, with"
                                + " KEEP_STOCK.",
                        "1 found",
                        "The books of this stock agree again.",
                        "all fits",
                        "0 lines deleted",
                        "0 lines are older than a year");
    }
}
