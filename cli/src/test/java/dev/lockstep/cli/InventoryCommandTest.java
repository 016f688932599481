package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventorySchema;
import dev.lockstep.inventory.Outcome.Received;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.UsesServer;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@UsesServer(ServerKind.POSTGRES)
@Tag("once")
@Timeout(300)
class InventoryCommandTest {
    private static Run run(TestDatabase database, String... args) {
        String[] all = Stream.concat(Stream.of("inventory"), Stream.of(args)).toArray(String[]::new);
        return Run.of(StoreArgs.of(database, all));
    }

    /** Ten shirts, of which two are reserved. */
    private static void openShop(TestDatabase database) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(database.jdbcUrl());
        config.setUsername(database.user());
        config.setPassword(database.password());
        try (HikariDataSource pool = new HikariDataSource(config)) {
            InventorySchema.on(pool).apply();
            try (Inventory inventory =
                    Inventory.builder(pool).patience(Duration.ofMinutes(2)).build()) {
                StockLine ten = StockLine.line("SHIRT-001", "TOKYO", 10);
                assertThat(inventory.receive(ten, "delivery-7")).isInstanceOf(Received.class);
                assertThat(inventory.reserve(StockLine.line("SHIRT-001", "TOKYO", 2), "order-1"))
                        .isInstanceOf(Reserved.class);
            }
        }
    }

    private static void execute(TestDatabase database, String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void showsStockReservationsAndLedgers(TestDatabase database) {
        openShop(database);
        Run stock = run(database, "stock", "SHIRT-001");
        assertThat(stock.code()).as(stock.all()).isZero();
        assertThat(stock.lines().get(1)).matches("TOKYO +10 +2 +8 +2");
        assertThat(run(database, "stock", "SHIRT-001", "--json").out())
                .contains("\"location\" : \"TOKYO\"", "\"available\" : 8");
        Run reservation = run(database, "reservation", "order-1");
        assertThat(reservation.lines().get(0)).isEqualTo("order-1: HELD, does not expire");
        assertThat(reservation.out()).containsPattern("SHIRT-001 +TOKYO +2");
        Run ledger = run(database, "ledger", "SHIRT-001", "TOKYO");
        assertThat(ledger.lines()).hasSize(3);
        assertThat(ledger.out()).containsPattern("(?s)RECEIVE +\\+10 +0 .*delivery-7.*RESERVE +0 +\\+2 .*order-1");
        assertThat(run(database, "ledger", "SHIRT-001", "TOKYO", "--lines", "1", "--json")
                        .out())
                .contains("\"requestId\" : \"order-1\"")
                .doesNotContain("delivery-7");
        assertThat(run(database, "ledger", "SHIRT-001", "TOKYO", "--after", "2").code())
                .isZero();
    }

    @Test
    void showsTheFeedFromAPositionOn(TestDatabase database) {
        openShop(database);
        Run all = run(database, "changes");
        assertThat(all.code()).as(all.all()).isZero();
        assertThat(all.lines()).hasSize(3);
        assertThat(all.out()).containsPattern("(?s)SHIRT-001 +TOKYO .*RECEIVE +\\+10 .*delivery-7.*RESERVE .*order-1");
        assertThat(run(database, "changes", "--after", "1", "--lines", "1", "--json")
                        .out())
                .contains("\"position\" : 2", "\"sku\" : \"SHIRT-001\"", "\"requestId\" : \"order-1\"")
                .doesNotContain("delivery-7");
        assertThat(run(database, "changes", "--after", "77").err()).contains("The position must be between 0 and 2");
    }

    @Test
    void setsTheSafetyStock(TestDatabase database) {
        openShop(database);
        Run set = run(database, "safety", "SHIRT-001", "TOKYO", "--quantity", "5", "--reason", "shop window");
        assertThat(set.code()).as(set.all()).isZero();
        assertThat(run(database, "stock", "SHIRT-001", "--json").out()).contains("\"available\" : 3");
    }

    @Test
    void whatIsNotThereIsSaidAndNotEmpty(TestDatabase database) {
        openShop(database);
        for (Run run : new Run[] {
            run(database, "stock", "SHRIT-001"),
            run(database, "reservation", "order-2"),
            run(database, "ledger", "SHIRT-001", "OSAKA"),
            run(database, "adjust", "SHIRT-001", "OSAKA", "--by=1", "--reason", "counted", "--request-id", "count-2")
        }) {
            assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.NOT_AS_IT_SHOULD.number());
            assertThat(run.err()).startsWith("error: There ");
            assertThat(run.out()).isEmpty();
        }
    }

    @Test
    void findsAndRepairsBooksThatDisagree(TestDatabase database) throws SQLException {
        openShop(database);
        Run clean = run(database, "reconcile");
        assertThat(clean.code()).as(clean.all()).isZero();
        assertThat(clean.out()).contains("1 stocks compared in", "nothing disagrees.");

        execute(database, "UPDATE inventory_location SET physical_qty = 50");
        Run found = run(database, "reconcile");
        assertThat(found.code()).isEqualTo(ExitCode.NOT_AS_IT_SHOULD.number());
        assertThat(found.out())
                .contains("SHIRT-001 at TOKYO has 50 in stock", "repair it from-ledger", "1 discrepancies.");
        Run json = run(database, "reconcile", "--json");
        assertThat(json.lines()).hasSize(2);
        assertThat(json.lines().get(1)).contains("\"discrepancies\":1");

        Run wrong = run(database, "repair", "SHIRT-001", "TOKYO", "--remedy", "magic", "--reason", "x");
        assertThat(wrong.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(wrong.err()).contains("--remedy must be from-ledger, keep-stock or recount-holds, but was 'magic'.");
        Run repair = run(database, "repair", "SHIRT-001", "TOKYO", "--remedy", "from-ledger", "--reason", "by hand");
        assertThat(repair.code()).as(repair.all()).isZero();
        assertThat(repair.out()).contains("now has 10 in stock and 2 reserved", "The request id is repair-");
        assertThat(repair.err()).containsPattern("with --request-id repair-[0-9a-f-]+: it is done once");
        assertThat(run(database, "reconcile").code()).isZero();
        Run again = run(database, "repair", "SHIRT-001", "TOKYO", "--remedy", "from-ledger", "--reason", "by hand");
        assertThat(again.code()).isEqualTo(ExitCode.NOT_AS_IT_SHOULD.number());
        assertThat(again.err()).contains("say the same");
    }

    @Test
    void theLedgerEndsWithItsLastLinesWhateverTheRowSays(TestDatabase database) throws SQLException {
        openShop(database);
        for (String spoil : new String[] {
            "UPDATE inventory_location SET version = 5000",
            "UPDATE inventory_location SET version = 1",
            "DELETE FROM inventory_location"
        }) {
            execute(database, spoil);
            Run last = run(database, "ledger", "SHIRT-001", "TOKYO", "--lines", "1");
            assertThat(last.out()).as(spoil).contains("order-1").doesNotContain("delivery-7");
        }
        assertThat(run(database, "stock", "SHIRT-001").err()).contains("There is no stock of SHIRT-001");
    }

    @Test
    void correctsACountOnce(TestDatabase database) {
        openShop(database);
        String[] adjust = {
            "adjust", "SHIRT-001", "TOKYO", "--by", "-3", "--reason", "3 are damaged", "--request-id", "count-1"
        };
        Run first = run(database, adjust);
        assertThat(first.code()).as(first.all()).isZero();
        assertThat(first.out()).contains("SHIRT-001 at TOKYO now has 7 in stock and 2 reserved (version 3).");
        assertThat(run(database, adjust).out()).isEqualTo(first.out());
        assertThat(run(database, "ledger", "SHIRT-001", "TOKYO", "--lines", "1").out())
                .contains("3 are damaged");
        Run much = run(database, "adjust", "SHIRT-001", "TOKYO", "--by=-6", "--reason", "lost", "--json");
        assertThat(much.code()).isEqualTo(ExitCode.NOT_AS_IT_SHOULD.number());
        assertThat(much.out())
                .contains("\"outcome\" : \"OutOfStock\"", "Only 5 of SHIRT-001 at TOKYO are not reserved");
        Run none = run(database, "adjust", "SHIRT-001", "TOKYO", "--by", "0", "--reason", "lost");
        assertThat(none.code()).isEqualTo(ExitCode.USAGE.number());
    }

    @Test
    void deletesWhatIsOld(TestDatabase database) throws SQLException {
        openShop(database);
        assertThat(run(database, "retain", "--days", "365", "--json").out()).contains("\"ledgerLines\" : 0");
        execute(database, "UPDATE inventory_transaction SET created_at = created_at - INTERVAL '40' DAY");
        Run run = run(database, "retain", "--days", "30");
        assertThat(run.code()).as(run.all()).isZero();
        assertThat(run.out())
                .contains("Older than 30 days: 1 ledger lines and 0 reservation lines deleted; 1 stocks checked in");
        assertThat(run(database, "reconcile").code()).isZero();
        Run tooShort = run(database, "retain", "--days", "0");
        assertThat(tooShort.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(tooShort.err()).contains("The retention must be between 1 and 36500 days");
    }

    @Test
    void missingTablesAreNamed(TestDatabase database) {
        Run run = run(database, "stock", "SHIRT-001");
        assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.REFUSED.number());
        assertThat(run.err()).contains("The tables of the inventory are missing");
        assertThat(run(database, "stock", "SHIRT-001", "--table-prefix", "Shop").code())
                .isEqualTo(ExitCode.USAGE.number());
    }
}
