package dev.lockstep.inventory.engine;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.books.PendingCommands;
import dev.lockstep.inventory.engine.Lane.Offer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class LaneTest {
    private final Lane lane = new Lane("a", 4);
    private final PendingCommand one = PendingCommands.reserve("1", line("a", "x", 1));
    private final PendingCommand two = PendingCommands.reserve("2", line("a", "x", 1), line("b", "x", 1));
    private final PendingCommand three =
            PendingCommands.reserve("3", line("a", "x", 1), line("b", "x", 1), line("c", "x", 1));

    @Test
    void theFirstLeadsAndTheOthersWait() {
        assertThat(lane.offer(one)).isEqualTo(Offer.LEAD);
        assertThat(lane.offer(two)).isEqualTo(Offer.QUEUED);
        lane.next(1, 10);
        assertThat(lane.offer(three)).isEqualTo(Offer.QUEUED);
    }

    @Test
    void worksComeOutAsTheyCameIn() {
        List.of(one, two, three).forEach(lane::offer);
        assertThat(lane.next(2, 10)).containsExactly(one, two);
        assertThat(lane.next(2, 10)).containsExactly(three);
        assertThat(lane.next(2, 10)).isEmpty();
    }

    @Test
    void aTransactionHasNoMoreThanSoManyLines() {
        List.of(one, two, three).forEach(lane::offer);
        assertThat(lane.next(3, 3)).containsExactly(one, two);
        assertThat(lane.next(3, 1)).as("a large one goes alone").containsExactly(three);
    }

    @Test
    void aFullLaneTakesNoMore() {
        for (int i = 0; i < 4; i++) {
            lane.offer(PendingCommands.reserve("w" + i, line("a", "x", 1)));
        }
        assertThat(lane.offer(one)).isEqualTo(Offer.FULL);
        lane.next(1, 10);
        assertThat(lane.offer(one)).isEqualTo(Offer.QUEUED);
    }

    @Test
    void aLaneIsGivenUpOnlyWhenNobodyWaits() {
        lane.offer(one);
        assertThat(lane.closeIfEmpty()).isFalse();
        assertThat(lane.offer(two)).isEqualTo(Offer.QUEUED);
        lane.next(2, 10);
        assertThat(lane.closeIfEmpty()).isTrue();
        assertThat(lane.offer(three)).isEqualTo(Offer.CLOSED);
    }

    @Test
    void theWaitIsExpectedFromTheTransactionsBefore() {
        assertThat(lane.expectedWait(2)).isZero();
        lane.took(Duration.ofMillis(8).toNanos());
        assertThat(lane.expectedWait(2)).isEqualTo(Duration.ofMillis(8));
        List.of(one, two, three).forEach(lane::offer);
        assertThat(lane.expectedWait(2)).isEqualTo(Duration.ofMillis(16));
        lane.took(Duration.ofMillis(4).toNanos());
        assertThat(lane.expectedWait(256)).isEqualTo(Duration.ofMillis(7));
    }
}
