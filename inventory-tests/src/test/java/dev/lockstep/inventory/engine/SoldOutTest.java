package dev.lockstep.inventory.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Shortage;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.PendingCommands;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SoldOutTest {
    private static final StockKey KEY = new StockKey("SHIRT", "TOKYO");
    private static final StockKey OTHER = new StockKey("SHOES", "TOKYO");

    private final FakeClock clock = new FakeClock();
    private final SoldOut soldOut = new SoldOut(clock);

    private void saw(long available, long version) {
        soldOut.saw(new Stock(KEY, 10, 10 - available, version), clock.nanos());
    }

    private List<Shortage> shortages() {
        return soldOut.shortages(PendingCommands.reserve("r", new StockLine(KEY, 1)));
    }

    private void assertSoldOut() {
        assertThat(shortages()).containsExactly(new Shortage(KEY, 1, 0));
    }

    @Test
    void whatWasNeverSeenMayBeThere() {
        assertThat(shortages()).isEmpty();
    }

    @Test
    void anEmptyShelfIsRememberedForAllWhoAsk() {
        saw(0, 5);
        assertSoldOut();
        assertSoldOut();
    }

    @Test
    void whatHasComeIsThereAtOnce() {
        saw(0, 5);
        saw(1, 6);
        assertThat(shortages()).isEmpty();
    }

    @Test
    void whatIsToldLateOutdatesNothing() {
        saw(1, 6);
        saw(0, 5);
        assertThat(shortages()).isEmpty();
    }

    @Test
    void alsoAFullShelfThatIsToldLateOutdatesNothing() {
        saw(0, 6);
        saw(3, 5);
        assertSoldOut();
    }

    @Test
    void fromHalfItsTimeOnOneMayLook() {
        saw(0, 5);
        clock.advance(Duration.ofMillis(100));
        assertThat(shortages()).isEmpty();
        assertSoldOut();
        assertSoldOut();
    }

    @Test
    void whoLooksAndSeesTheSameProlongsIt() {
        saw(0, 5);
        clock.advance(Duration.ofMillis(150));
        assertThat(shortages()).isEmpty();
        saw(0, 5);
        clock.advance(Duration.ofMillis(99));
        assertSoldOut();
    }

    @Test
    void nothingIsRememberedLonger() {
        saw(0, 5);
        clock.advance(Duration.ofMillis(200));
        assertThat(shortages()).isEmpty();
        assertThat(shortages()).isEmpty();
        soldOut.forgetOld();
        saw(0, 4);
        assertSoldOut();
    }

    @Test
    void whatWasReadLongAgoIsNotRemembered() {
        long readAt = clock.nanos();
        clock.advance(Duration.ofMillis(200));
        soldOut.saw(new Stock(KEY, 10, 10, 5), readAt);
        assertThat(shortages()).isEmpty();
    }

    @Test
    void whatIsYoungIsNotForgotten() {
        saw(0, 5);
        clock.advance(Duration.ofMillis(99));
        soldOut.forgetOld();
        assertSoldOut();
    }

    @Test
    void anOrderIsShortOfWhatIsShort() {
        saw(0, 5);
        soldOut.saw(new Stock(OTHER, 10, 0, 1), clock.nanos());
        PendingCommand order = PendingCommands.reserve("r", new StockLine(OTHER, 2), new StockLine(KEY, 3));
        assertThat(soldOut.shortages(order)).containsExactly(new Shortage(KEY, 3, 0));
    }

    @Test
    void lessThanNothingCountsAsNothing() {
        saw(-3, 5);
        assertSoldOut();
    }
}
