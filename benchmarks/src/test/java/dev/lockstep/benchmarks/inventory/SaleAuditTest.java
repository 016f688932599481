package dev.lockstep.benchmarks.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.benchmarks.inventory.Seller.Answer;
import dev.lockstep.benchmarks.measure.PeerPool;
import dev.lockstep.inventory.InventorySchema;
import dev.lockstep.inventory.StockKey;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class SaleAuditTest {
    private static final StockKey KEY = SaleServer.key(0);

    private final HikariDataSource pool = PeerPool.shared("jdbc:h2:mem:" + UUID.randomUUID(), "sa", "", Map.of(), 2);
    private final SaleAudit books = new SaleAudit(pool);

    @BeforeEach
    void stockUp() throws SQLException {
        InventorySchema.on(pool).apply();
        new Shelves(pool).fill(List.of(KEY, SaleServer.key(1)));
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @ParameterizedTest
    @EnumSource(SellingWay.class)
    void everyWayKeepsTheBooks(SellingWay way) throws Exception {
        try (Seller seller = way.open(pool)) {
            assertThat(seller.reserve(KEY, "r1")).isEqualTo(Answer.RESERVED);
            assertThat(seller.reserve(KEY, "r2")).isEqualTo(Answer.RESERVED);
            assertThat(seller.reserve(List.of(SaleServer.key(1), KEY), "r3")).isEqualTo(Answer.RESERVED);
        }
        assertThatCode(() -> books.check(3, 0)).doesNotThrowAnyException();
        assertThatCode(() -> books.check(2, 1)).doesNotThrowAnyException();
    }

    @Test
    void whatClientsWereToldMustBeInTheLedger() {
        assertThatThrownBy(() -> books.check(1, 0))
                .hasMessageContaining("1 outcomes were accepted, 0 unknown, and the ledger has 0");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE inventory_location SET allocated_qty = allocated_qty + 1",
                "UPDATE inventory_location SET version = version + 1",
                "UPDATE inventory_transaction SET allocated_after = 7 WHERE type = 'RESERVE'",
                "DELETE FROM inventory_transaction WHERE type = 'RESERVE'",
                "DELETE FROM inventory_reservation"
            })
    void whatDoesNotAddUpIsFound(String tampering) throws Exception {
        try (Seller seller = SellingWay.GUARDED_UPDATE.open(pool)) {
            seller.reserve(KEY, "r1");
        }
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(tampering);
            connection.commit();
        }
        assertThatThrownBy(() -> books.check(1, 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("The books are wrong: ");
    }
}
