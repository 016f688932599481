package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.Keys;
import dev.lockstep.inventory.books.ReadMode;
import dev.lockstep.inventory.books.Tables;
import dev.lockstep.inventory.engine.EngineAccess;
import dev.lockstep.inventory.sql.Product;
import dev.lockstep.testservers.Scale;
import dev.lockstep.testservers.ServerKind;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows are locked in the order in which the database sorts them; that must be the order of the keys. */
@Tag("slow")
@Tag("once")
class KeysOrderTest {
    private static final int[] BORDERS = {
        0x21, 0x7e, 0xa1, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfffd, 0xffff, 0x10000, 0x10ffff, 'a', 'A', 'ä', 'ß', 0x308,
        0xad
    };

    private final Random random = new Random();

    @ParameterizedTest
    @EnumSource(names = {"MYSQL", "MARIADB", "POSTGRES"})
    void theTablesOrderIsThatOfTheKeys(ServerKind kind) throws SQLException {
        List<StockKey> keys = Keys.sorted(someKeys(Scale.pick(800, 5_000)));
        try (TestShop shop = TestShop.on(kind);
                Connection connection = shop.dataSource().getConnection()) {
            Tables tables = Database.tables(Product.of(connection), connection);
            connection.setAutoCommit(false);
            tables.insertMissingRows(connection, keys);
            connection.commit();

            assertThat(TableRows.of(shop).stocks()).extracting(Stock::key).containsExactlyElementsOf(keys);
            Deadline deadline = Deadline.in(Duration.ofMinutes(1), LockClock.system());
            assertThat(tables.read(connection, keys, ReadMode.locked(deadline)).keySet())
                    .containsExactlyElementsOf(keys);
            connection.rollback();
        }
    }

    private Set<StockKey> someKeys(int count) {
        List<String> texts = new ArrayList<>();
        while (texts.size() < count) {
            String text = text();
            // Only what the inventory takes.
            if (EngineAccess.accepts(new Command.Cancel("id", text)) && text.length() <= 64) {
                texts.add(text);
            }
        }
        Set<StockKey> keys = new LinkedHashSet<>();
        texts.forEach(text -> keys.add(new StockKey(text, texts.get(random.nextInt(texts.size())))));
        texts.subList(0, count / 4).forEach(text -> keys.add(new StockKey(texts.get(0), text)));
        return keys;
    }

    private String text() {
        StringBuilder text = new StringBuilder();
        int length = 1 + random.nextInt(4);
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(
                    random.nextInt(3) == 0
                            ? random.nextInt(Character.MAX_CODE_POINT + 1)
                            : BORDERS[random.nextInt(BORDERS.length)]);
        }
        return text.toString();
    }
}
