package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Rejected;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

@Label("an inventory on H2 against a model in plain maps")
@PropertyDefaults(tries = 60, edgeCases = EdgeCasesMode.NONE)
class StockModelPropertyTest {
    private static TestShop shop;
    private static Locks locks;

    @BeforeContainer
    static void open() {
        shop = TestShop.onH2();
        locks = Locks.inMemory();
    }

    @AfterContainer
    static void close() throws SQLException {
        locks.close();
        shop.close();
    }

    // Few names, so that requests, reservations and stock often meet.

    private static Arbitrary<String> ids() {
        return Arbitraries.integers().between(1, 12).map(i -> "r" + i);
    }

    private static Arbitrary<StockLine> lines(long least, long most) {
        Arbitrary<StockKey> keys = Arbitraries.of("a", "A", "b").map(sku -> new StockKey(sku, "TOKYO"));
        Arbitrary<Long> quantities = Arbitraries.longs().between(least, most).filter(quantity -> quantity != 0);
        return Combinators.combine(keys, quantities).as(StockLine::new);
    }

    @Provide
    Arbitrary<List<Command>> commands() {
        Arbitrary<Command> reserve = Combinators.combine(
                        lines(1, 4).list().ofMinSize(1).ofMaxSize(3), ids())
                .as((lines, id) -> new Reserve(Order.of(lines), id));
        Arbitrary<Command> receive = Combinators.combine(
                        lines(1, 4).list().ofMinSize(1).ofMaxSize(3), ids())
                .as(Receive::new);
        Arbitrary<Command> adjust =
                Combinators.combine(lines(-3, 3), ids()).as((line, id) -> new Adjust(line, "counted", id));
        Arbitrary<Command> cancel = Combinators.combine(ids(), ids()).as(Cancel::new);
        Arbitrary<Command> ship = Combinators.combine(ids(), ids()).as(Ship::new);
        Arbitrary<Command> expire = ids().map(Expire::new);
        return Arbitraries.frequencyOf(
                        Tuple.of(5, reserve),
                        Tuple.of(3, receive),
                        Tuple.of(2, adjust),
                        Tuple.of(3, cancel),
                        Tuple.of(3, ship),
                        Tuple.of(1, expire))
                .list()
                .ofMinSize(5)
                .ofMaxSize(40);
    }

    @Property
    @Label("optimistic")
    void optimistic(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.OPTIMISTIC, commands);
    }

    @Property
    @Label("pessimistic")
    void pessimistic(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.PESSIMISTIC, commands);
    }

    @Property
    @Label("locked")
    void locked(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.LOCKED, commands);
    }

    @Property
    @Label("combining")
    void combining(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.COMBINING, commands);
    }

    @Property
    @Label("adaptive")
    void adaptive(@ForAll("commands") List<Command> commands) throws SQLException {
        compare(Strategy.ADAPTIVE, commands);
    }

    private static void compare(Strategy strategy, List<Command> commands) throws SQLException {
        for (String table : List.of("inventory_location", "inventory_transaction", "inventory_reservation")) {
            shop.sql("DELETE FROM " + table);
        }
        InventoryBuilder builder = shop.inventory().sweepEvery(Duration.ZERO);
        try (Inventory inventory =
                (strategy == Strategy.LOCKED ? builder.lockedBy(locks) : builder.strategy(strategy)).build()) {
            compare(inventory, commands);
        }
        BooksCheck.verify(TableRows.of(shop), Map.of());
    }

    private static void compare(Inventory inventory, List<Command> commands) {
        StockModel model = new StockModel();
        Map<String, Outcome> accepted = new HashMap<>();
        for (Command command : commands) {
            Outcome outcome = inventory.execute(command);
            assertThat(model.answer(command).split(" or ")).as("%s", command).contains(name(outcome));
            if (outcome instanceof Accepted) {
                assertThat(outcome).isEqualTo(accepted.computeIfAbsent(command.requestId(), any -> outcome));
            }
            assertThat(stock(inventory)).as("after %s", command).isEqualTo(model.stock());
        }
    }

    private static String name(Outcome outcome) {
        return outcome instanceof Rejected rejected
                ? rejected.why().name()
                : outcome.getClass().getSimpleName();
    }

    private static Map<String, List<Long>> stock(Inventory inventory) {
        return List.of("a", "A", "b").stream()
                .flatMap(sku -> inventory.stock(sku).stream())
                .collect(Collectors.toMap(
                        stock -> stock.key().toString(),
                        stock -> List.of(stock.physical(), stock.allocated(), stock.version()),
                        (one, other) -> one,
                        TreeMap::new));
    }
}
