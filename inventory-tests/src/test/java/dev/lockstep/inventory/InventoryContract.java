package dev.lockstep.inventory;

import dev.lockstep.core.Locks;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** What an inventory promises, with every strategy. A subclass says on which database. After each test all the books must be right. */
@ParameterizedClass(name = "{0}")
@EnumSource(Strategy.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Timeout(300)
abstract class InventoryContract
        implements StockContract,
                OrderContract,
                ReplayContract,
                ExpiryContract,
                InputContract,
                SoldOutContract,
                CasesContract {
    @Parameter
    Strategy strategy;

    private final Map<StockKey, Stock> openings = new HashMap<>();
    private TestShop shop;
    private Locks locks;
    private Inventory inventory;

    abstract TestShop openShop() throws SQLException;

    @BeforeAll
    void openUp() throws SQLException {
        shop = openShop();
        locks = TestShop.locks();
    }

    @AfterAll
    void closeDown() throws SQLException {
        locks.close();
        shop.close();
    }

    @BeforeParameterizedClassInvocation
    void begin() {
        inventory = builder().build();
    }

    @AfterParameterizedClassInvocation
    void end() {
        inventory.close();
    }

    /** And deleted then: else each test would read those of all before it. */
    @AfterEach
    void theBooksAreRight() throws SQLException {
        try {
            BooksCheck.verify(books(), openings);
        } finally {
            shop.clear();
            openings.clear();
        }
    }

    @Override
    public InventoryBuilder builder() {
        return builder(shop.dataSource());
    }

    @Override
    public InventoryBuilder builder(DataSource dataSource) {
        InventoryBuilder builder = TestShop.patient(dataSource).sweepEvery(Duration.ZERO);
        return strategy == Strategy.LOCKED ? builder.lockedBy(locks) : builder.strategy(strategy);
    }

    @Override
    public void open(Stock stock) throws SQLException {
        shop.put(stock.key(), stock.physical(), stock.allocated(), stock.version());
        openings.put(stock.key(), stock);
    }

    @Override
    public TestShop shop() {
        return shop;
    }

    @Override
    public Inventory inventory() {
        return inventory;
    }

    @Override
    public Strategy strategy() {
        return strategy;
    }
}
