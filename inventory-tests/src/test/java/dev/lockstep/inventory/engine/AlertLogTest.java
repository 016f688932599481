package dev.lockstep.inventory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.inventory.AlertProbe;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Discrepancy.StockFault;
import dev.lockstep.inventory.Discrepancy.StockFault.Kind;
import dev.lockstep.inventory.InventoryEvent;
import dev.lockstep.inventory.InventoryEvent.Alert;
import dev.lockstep.inventory.InventoryEvent.BooksDisagree;
import dev.lockstep.inventory.InventoryEvent.LockHeldLong;
import dev.lockstep.inventory.InventoryEvent.NegativeStock;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.Strategy;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.PendingCommands;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One bad row that is met thousands of times a second doesn't fill the log. */
class AlertLogTest {
    private final FakeClock clock = new FakeClock();
    private final AlertLog log = new AlertLog(clock);
    private final AlertProbe probe = new AlertProbe();
    private final String sku = "SHIRT-" + UUID.randomUUID();

    @AfterEach
    void close() {
        probe.close();
    }

    private Alert negative(String location) {
        return new NegativeStock(clock.instant(), stock(location));
    }

    private Alert disagree(Kind kind) {
        return new BooksDisagree(clock.instant(), new StockFault(kind, stock("TOKYO"), stock("TOKYO"), 0));
    }

    private Stock stock(String location) {
        return new Stock(new StockKey(sku, location), -1, 0, 7);
    }

    @Test
    void theSameAlertForTheSameStockIsWrittenEveryTenSeconds() {
        for (int i = 0; i < 1_000; i++) {
            log.write(negative("TOKYO"));
            clock.advance(Duration.ofMillis(10));
        }
        assertThat(probe.lines(sku)).hasSize(1);
        log.write(negative("TOKYO"));
        assertThat(probe.lines(sku)).hasSize(2);
    }

    @Test
    void otherStockAndOtherFaultsHaveLinesOfTheirOwn() {
        log.write(negative("TOKYO"));
        log.write(negative("OSAKA"));
        log.write(disagree(Kind.NEGATIVE));
        log.write(disagree(Kind.LEDGER_DIFFERS));
        log.write(disagree(Kind.LEDGER_DIFFERS));
        assertThat(probe.lines(sku)).hasSize(4);
    }

    @Test
    void whatIsLongAgoIsForgotten() {
        log.write(negative("TOKYO"));
        clock.advance(Duration.ofSeconds(10));
        log.forgetOld();
        log.write(negative("TOKYO"));
        assertThat(probe.lines(sku)).hasSize(2);
    }

    @Test
    void afterTenThousandDifferentOnesTheLogIsSpared() {
        for (int i = 0; i < 10_100; i++) {
            log.write(negative("SHOP-" + i));
        }
        assertThat(probe.lines(sku)).hasSize(10_000);
        assertThat(probe.lines("10000 alerts about different things")).hasSize(1);
    }

    @Test
    void eventsAndFiguresHaveAll() {
        SoldOut soldOut = new SoldOut(clock);
        try (InventoryMonitor monitor = new InventoryMonitor(clock, soldOut)) {
            monitor.subscribe(probe);
            for (int i = 0; i < 5; i++) {
                monitor.alert(negative("TOKYO"));
            }
            assertThat(monitor.figures(new Contention(Strategy.ADAPTIVE, clock, monitor), 0, 0)
                            .alerts())
                    .containsEntry("NegativeStock", 5L);
        }
        await().until(() -> probe.events().size() == 5);
        assertThat(probe.lines(sku)).hasSize(1);
    }

    @Test
    void whatEachRequestMeetsIsAnEventEveryTenSecondsAndCountedAlways() {
        try (InventoryMonitor monitor = new InventoryMonitor(clock, new SoldOut(clock))) {
            monitor.subscribe(probe);
            for (int i = 0; i < 5; i++) {
                monitor.alert(disagree(Kind.LEDGER_DIFFERS));
            }
            clock.advance(Duration.ofSeconds(10));
            monitor.alert(disagree(Kind.LEDGER_DIFFERS));
            assertThat(monitor.figures(new Contention(Strategy.ADAPTIVE, clock, monitor), 0, 0)
                            .alerts())
                    .containsEntry("BooksDisagree", 6L);
            monitor.alert(negative("TOKYO"));
            await().until(() -> probe.events().stream().anyMatch(InventoryEvent.NegativeStock.class::isInstance));
        }
        assertThat(probe.events()).hasSize(3);
    }

    @Test
    void aFloodOfAnswersDisplacesNoAlert() throws InterruptedException {
        CountDownLatch go = new CountDownLatch(1);
        try (InventoryMonitor monitor = new InventoryMonitor(clock, new SoldOut(clock))) {
            monitor.subscribe(event -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                probe.on(event);
            });
            Command command = new Command.Cancel("r", "c");
            for (int i = 0; i < 20_000; i++) {
                monitor.answered(command, new Outcome.TimedOut("c", Duration.ZERO), Duration.ZERO);
            }
            monitor.alert(negative("TOKYO"));
            go.countDown();
            await().until(() -> probe.events().stream().anyMatch(InventoryEvent.NegativeStock.class::isInstance));
        }
    }

    @Test
    void conflictsThatAreSpreadOverManyStocksAreAnAlertToo() {
        try (InventoryMonitor monitor = new InventoryMonitor(clock, new SoldOut(clock))) {
            Contention contention = new Contention(Strategy.ADAPTIVE, clock, monitor);
            for (int i = 0; i < 30; i++) {
                PendingCommand work = PendingCommands.reserve("r-" + i, StockLine.line("SKU-" + i, "TOKYO", 1));
                contention.attempted(work, i % 3 == 0);
            }
            assertThat(monitor.figures(contention, 0, 0).alerts())
                    .containsOnly(Map.entry("OverallConflictRateHigh", 1L));
        }
        assertThat(probe.lines("They are spread over many stocks")).hasSize(1);
    }

    @Test
    void oneContendedStockIsNoOverallAlert() {
        try (InventoryMonitor monitor = new InventoryMonitor(clock, new SoldOut(clock))) {
            Contention contention = new Contention(Strategy.OPTIMISTIC, clock, monitor);
            for (int i = 0; i < 200; i++) {
                contention.attempted(PendingCommands.reserve("r-" + i, StockLine.line(sku, "TOKYO", 1)), i >= 20);
            }
            assertThat(monitor.figures(contention, 0, 0).alerts()).containsOnlyKeys("ConflictRateHigh");
        }
    }

    @Test
    void ofManyRowsThatWereLockedSomeAreNamed() {
        List<StockKey> keys = Collections.nCopies(10_000, new StockKey("HAT", "TOKYO"));
        assertThat(new LockHeldLong(clock.instant(), keys, Duration.ofMillis(250)).message())
                .startsWith(
                        "Long lock: HAT at TOKYO, HAT at TOKYO, HAT at TOKYO and 9997 more were locked for 250 ms,");
    }
}
