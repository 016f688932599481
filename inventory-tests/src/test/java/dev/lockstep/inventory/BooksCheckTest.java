package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.AnswersCheck.Answer;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Unknown;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Books that are right, then spoilt by hand: the checks must see it. */
class BooksCheckTest {
    private static final StockKey KEY = new StockKey("SHIRT", "TOKYO");
    private static final Reserve RESERVE = new Reserve(Order.of(new StockLine(KEY, 3)), "held");

    private final TestShop shop = TestShop.onH2();
    private final List<Answer> answers = new ArrayList<>();

    @BeforeEach
    void trade() throws SQLException {
        try (Inventory inventory = TestShop.patient(shop.dataSource()).build()) {
            for (Command command : List.of(
                    new Command.Receive(List.of(new StockLine(KEY, 10)), "received"),
                    RESERVE,
                    new Reserve(Order.of(new StockLine(KEY, 2)), "shipped"),
                    new Reserve(Order.of(new StockLine(KEY, 1)), "cancelled"),
                    new Command.Ship("shipped", "ship"),
                    new Command.Cancel("cancelled", "cancel"))) {
                answers.add(new Answer(command, inventory.execute(command)));
            }
        }
        // By hand, nothing is impossible.
        shop.sql("ALTER TABLE inventory_location DROP CONSTRAINT inventory_location_allocated");
        shop.sql("ALTER TABLE inventory_transaction DROP CONSTRAINT inventory_transaction_once");
        assertThat(faults()).isEmpty();
        assertThat(answerFaults()).isEmpty();
    }

    @AfterEach
    void close() throws SQLException {
        shop.close();
    }

    private List<String> faults() throws SQLException {
        return BooksCheck.faults(TableRows.of(shop), Map.of());
    }

    private List<String> answerFaults() throws SQLException {
        return AnswersCheck.faults(TableRows.of(shop), answers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "UPDATE inventory_location SET allocated_qty = 11",
                "UPDATE inventory_location SET allocated_qty = allocated_qty + 1",
                "UPDATE inventory_location SET physical_qty = physical_qty - 1",
                "UPDATE inventory_location SET version = version + 1",
                "DELETE FROM inventory_location",
                "DELETE FROM inventory_transaction WHERE request_id = 'ship'",
                "DELETE FROM inventory_transaction WHERE request_id = 'held'",
                "DELETE FROM inventory_transaction WHERE request_id = 'received'",
                "UPDATE inventory_transaction SET allocated_change = 2 WHERE request_id = 'held'",
                "UPDATE inventory_transaction SET allocated_after = 2 WHERE request_id = 'held'",
                "UPDATE inventory_transaction SET sequence = 100 WHERE request_id = 'cancel'",
                "UPDATE inventory_transaction SET request_id = 'ship' WHERE request_id = 'held'",
                "UPDATE inventory_transaction SET request_line = 1 WHERE request_id = 'held'",
                "UPDATE inventory_transaction SET type = 'EXPIRE' WHERE request_id = 'cancel'",
                "UPDATE inventory_transaction SET reservation_id = 'shipped' WHERE request_id = 'cancel'",
                "UPDATE inventory_transaction SET reservation_id = 'other' WHERE request_id = 'held'",
                "UPDATE inventory_reservation SET quantity = 4 WHERE reservation_id = 'held'",
                "UPDATE inventory_reservation SET quantity = 4 WHERE reservation_id = 'shipped'",
                "UPDATE inventory_reservation SET state = 'SHIPPED', ended_at = created_at WHERE reservation_id = 'held'",
                "UPDATE inventory_reservation SET state = 'CANCELLED' WHERE reservation_id = 'shipped'",
                "UPDATE inventory_reservation SET state = 'HELD', ended_at = NULL WHERE reservation_id = 'shipped'",
                "UPDATE inventory_reservation SET ended_at = NULL WHERE reservation_id = 'shipped'",
                "DELETE FROM inventory_reservation WHERE reservation_id = 'held'",
                "DELETE FROM inventory_reservation WHERE reservation_id = 'shipped'"
            })
    void whatWasChangedByHandIsSeen(String sql) throws SQLException {
        shop.sql(sql);
        assertThat(faults()).isNotEmpty();
    }

    @Test
    void whatWasThereBeforeIsNoFault() throws SQLException {
        StockKey old = new StockKey("OLD", "TOKYO");
        shop.put(old, 10, 4, 7);
        assertThat(faults()).isNotEmpty();
        assertThat(BooksCheck.faults(TableRows.of(shop), Map.of(old, new Stock(old, 10, 4, 7))))
                .isEmpty();
    }

    @Test
    void anAcceptedRequestThatIsNotInTheLedgerIsSeen() throws SQLException {
        Change change = new Change(0, 1, new Stock(KEY, 8, 4, 7));
        Reserve lost = new Reserve(Order.of(new StockLine(KEY, 1)), "lost");
        answers.add(new Answer(lost, new Reserved("lost", List.of(change), Optional.empty())));
        assertThat(answerFaults()).singleElement().asString().startsWith("the ledger has [] of");
    }

    @Test
    void aRefusedRequestThatIsInTheLedgerIsSeen() throws SQLException {
        answers.removeIf(answer -> answer.command() == RESERVE);
        assertThat(answerFaults()).containsExactly("nobody asked for held");
        answers.add(new Answer(RESERVE, new OutOfStock("held", List.of(new Shortage(KEY, 3, 2)))));
        assertThat(answerFaults()).singleElement().asString().startsWith("held was done");
        answers.add(new Answer(RESERVE, new Unknown("held", "the connection was lost")));
        assertThat(answerFaults()).isEmpty();
    }

    @Test
    void differentAnswersToEqualRequestsAreSeen() throws SQLException {
        Change other = new Change(0, 3, new Stock(KEY, 10, 3, 99));
        answers.add(new Answer(RESERVE, new Reserved("held", List.of(other), Optional.empty())));
        assertThat(answerFaults()).anyMatch(fault -> fault.startsWith("equal requests were answered differently"));
    }

    @Test
    void soldOutThoughThereWasEnoughIsSeen() throws SQLException {
        Reserve refused = new Reserve(Order.of(new StockLine(KEY, 1)), "refused");
        answers.add(new Answer(refused, new OutOfStock("refused", List.of(new Shortage(KEY, 1, 1)))));
        assertThat(answerFaults()).singleElement().asString().startsWith("there was enough");
    }

    @Test
    void anAnswerToAnotherRequestIsSeen() throws SQLException {
        Reserve asked = new Reserve(Order.of(new StockLine(KEY, 1)), "asked");
        answers.add(new Answer(asked, new OutOfStock("other", List.of(new Shortage(KEY, 1, 0)))));
        assertThat(answerFaults()).isNotEmpty();
    }
}
