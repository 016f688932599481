package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Command.Ship;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.books.StockRow;
import dev.lockstep.inventory.engine.EngineAccess;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is wrong is refused with the reason, and leaves no trace; what is only odd is kept as it is. */
interface InputContract extends ShopStage {
    @Test
    default void quantitiesThatMakeNoSense() {
        StockKey key = stocked(5);
        assertNothingChanges(() -> {
            for (long quantity : new long[] {0, -1, Long.MIN_VALUE, StockRow.MOST + 1, Long.MAX_VALUE}) {
                String detail = "The quantity of " + key + " is " + quantity + ". Give 1 to 1000000000000000.";
                assertAnswer(new Reserve(Order.of(of(key, quantity)), id()), Rejection.INVALID_QUANTITY, detail);
                assertAnswer(new Receive(List.of(of(key, quantity)), id()), Rejection.INVALID_QUANTITY, detail);
            }
            for (long change : new long[] {0, Long.MIN_VALUE, Long.MAX_VALUE}) {
                String detail = "The correction of " + key + " is " + change
                        + ". Give -1000000000000000 to 1000000000000000, and not 0.";
                assertAnswer(new Adjust(of(key, change), "lost", id()), Rejection.INVALID_QUANTITY, detail);
            }
        });
    }

    @Test
    default void quantitiesThatAddUpToTooMuch() {
        StockKey key = stocked(5);
        List<StockLine> lines = List.of(of(key, StockRow.MOST), of(key, StockRow.MOST));

        String detail = "The quantities add up to more than 1000000000000000.";
        assertRefused(new Reserve(Order.of(lines), id()), Rejection.INVALID_QUANTITY, detail);
        assertRefused(new Receive(lines, id()), Rejection.INVALID_QUANTITY, detail);
    }

    @Test
    default void ordersWithoutLines() {
        String detail = "There are 0 lines. Give 1 to 1000, or split the order.";
        assertRefused(new Reserve(Order.of(), id()), Rejection.INVALID_ORDER, detail);
        assertRefused(new Receive(List.of(), id()), Rejection.INVALID_ORDER, detail);
    }

    @Test
    default void timesThatMakeNoSense() {
        StockKey key = stocked(5);
        Duration tooLong = Duration.ofDays(3_650).plusNanos(1);
        for (Duration time :
                List.of(Duration.ZERO, Duration.ofNanos(-1), Duration.ofSeconds(Long.MIN_VALUE), tooLong)) {
            assertRefused(
                    new Reserve(Order.of(of(key, 1)).heldFor(time), id()),
                    Rejection.INVALID_TIME,
                    "The reservation is to be held for " + time + ". Give more than zero, and at most 3650 days.");
        }
    }

    @Test
    default void unknownStock() {
        StockKey key = freshKey();
        String detail = "There never was any " + key + ". Receive it first, or check the spelling.";

        assertRefused(new Reserve(Order.of(of(key, 1)), id()), Rejection.UNKNOWN_STOCK, detail);
        assertRefused(new Adjust(of(key, 1), "found", id()), Rejection.UNKNOWN_STOCK, detail);
        assertThat(inventory().stock(key)).isEmpty();
    }

    @Test
    default void unknownReservations() {
        String detail = "There is no reservation 'no-such'.";
        assertRefused(new Cancel("no-such", id()), Rejection.UNKNOWN_RESERVATION, detail);
        assertRefused(new Ship("no-such", id()), Rejection.UNKNOWN_RESERVATION, detail);
    }

    @Test
    default void aReservationEndsOnce() {
        StockKey key = stocked(5);
        Reserved shipped = reserved(key, 1);
        Reserved cancelled = reserved(key, 1);
        inventory().ship(shipped.id(), id());
        inventory().cancel(cancelled.id(), id());

        String wasShipped = "The reservation '" + shipped.id() + "' was shipped.";
        assertRefused(new Ship(shipped.id(), id()), Rejection.ALREADY_SHIPPED, wasShipped);
        assertRefused(new Cancel(shipped.id(), id()), Rejection.ALREADY_SHIPPED, wasShipped);
        String wasCancelled = "The reservation '" + cancelled.id() + "' was cancelled.";
        assertRefused(new Ship(cancelled.id(), id()), Rejection.ALREADY_CANCELLED, wasCancelled);
        assertRefused(new Cancel(cancelled.id(), id()), Rejection.ALREADY_CANCELLED, wasCancelled);
        assertStock(key, 4, 0, 5);
    }

    /** Texts that are refused, with how the refusal goes on. */
    private static Map<String, String> badTexts(int longest) {
        String strange = " has a control character or half a character in it. Give readable text.";
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("", " has 0 characters. Give 1 to " + longest + ".");
        texts.put("x".repeat(longest + 1), " has " + (longest + 1) + " characters. Give 1 to " + longest + ".");
        for (String text : List.of("a\0b", "a\nb", "\u007f", "\ud83d", "a\udc5fb", "\udc5f\ud83d")) {
            texts.put(text, strange);
        }
        for (String text : List.of(" ", " a", "a ", "a\t", "\u3000a", "a\u2003")) {
            texts.put(text, " '" + text + "' has white space around it. Strip it.");
        }
        return texts;
    }

    @Test
    default void textsThatNoDatabaseKeeps() {
        StockKey key = stocked(5);
        assertNothingChanges(() -> {
            badTexts(EngineAccess.LONGEST_NAME).forEach((text, detail) -> {
                assertBadText(new Reserve(Order.of(StockLine.line(text, TOKYO, 1)), id()), "The SKU" + detail);
                assertBadText(new Receive(List.of(StockLine.line("a", text, 1)), id()), "The location" + detail);
            });
            badTexts(EngineAccess.LONGEST_ID).forEach((text, detail) -> {
                assertBadText(new Reserve(Order.of(of(key, 1)), text), "The request id" + detail);
                assertBadText(new Cancel(text, id()), "The reservation id" + detail);
            });
            badTexts(EngineAccess.LONGEST_REASON)
                    .forEach(
                            (text, detail) -> assertBadText(new Adjust(of(key, 1), text, id()), "The reason" + detail));
        });
    }

    private void assertBadText(Command command, String detail) {
        assertAnswer(command, Rejection.INVALID_TEXT, detail);
    }

    /** Some databases would take these for the same, or for SQL. */
    private static List<String> oddTexts() {
        return List.of(
                "a",
                "A",
                "\u00e4",
                "a\u0308",
                "\u00e1",
                "\uff41",
                "ss",
                "\u00df",
                "\u1e9e",
                "\ud83d\udc5f",
                "\ud83d\udc5e",
                "\ud83d\udc5f".repeat(32),
                "a\u00adb",
                "ab",
                "a\u200bb",
                "\uffff",
                "\u30cf",
                "\u30d0",
                "\u306f",
                "'; DROP TABLE inventory_location; --",
                "''",
                "\"",
                "`",
                "\\",
                "\\'",
                "%",
                "_",
                "?",
                "{d '2020-01-01'}",
                "null",
                "0",
                "00",
                "0.0",
                "x".repeat(64));
    }

    @Test
    default void oddSkusAreKeptAsTheyAre() {
        String location = "L" + id();
        List<String> skus = oddTexts();
        for (int i = 0; i < skus.size(); i++) {
            StockKey key = new StockKey(skus.get(i), location);
            inventory().receive(of(key, i + 1), id());
            assertStock(key, i + 1, 0, 1);
        }
        List<StockLine> lines =
                skus.stream().map(sku -> StockLine.line(sku, location, 1)).toList();
        assertIs(Reserved.class, inventory().reserve(Order.of(lines), id()));
        for (int i = 0; i < skus.size(); i++) {
            assertStock(new StockKey(skus.get(i), location), i + 1, 1, 2);
        }
    }

    @Test
    default void oddLocationsIdsAndReasonsAreKeptAsTheyAre() {
        String sku = freshKey().sku();
        for (String text : oddTexts()) {
            StockKey key = new StockKey(sku, text);
            String id = sku + text;
            assertThat(inventory().receive(of(key, 2), id)).isInstanceOf(Outcome.Received.class);
            assertThat(inventory().reserve(of(key, 1), id + "x")).isInstanceOf(Reserved.class);
            assertThat(inventory().ship(id + "x", id + "y")).isInstanceOf(Outcome.Shipped.class);
            assertThat(inventory().adjust(of(key, 1), text, id + "z")).isInstanceOf(Outcome.Adjusted.class);
            assertStock(key, 2, 0, 4);
        }
        TableRows books = books();
        for (String text : oddTexts()) {
            assertThat(books.ledger(sku + text + "z").get(0).note()).isEqualTo(text);
        }
        assertThat(inventory().stock(sku)).hasSize(oddTexts().size());
    }
}
