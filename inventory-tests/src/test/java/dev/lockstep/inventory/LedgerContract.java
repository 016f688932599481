package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.Outcome.Adjusted;
import dev.lockstep.inventory.Outcome.Shipped;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The ledger says who changed what, and when. */
interface LedgerContract extends BackOffice {
    private void sell() {
        receive(SHIRT, 10, "in");
        receive(HAT, 1, "hats");
        reserve(SHIRT, 2, "r1");
        assertThat(inventory().ship("r1", "s1")).isInstanceOf(Shipped.class);
        assertThat(inventory().adjust(new StockLine(SHIRT, -1), "counted", "a1"))
                .isInstanceOf(Adjusted.class);
    }

    @Test
    default void itsLinesAreInTheOrderOfTheChanges() {
        sell();
        List<LedgerEntry> lines = inventory().ledger(SHIRT, 0, 100);
        assertThat(lines)
                .extracting(LedgerEntry::type)
                .containsExactly(EntryType.RECEIVE, EntryType.RESERVE, EntryType.SHIP, EntryType.ADJUST);
        assertThat(lines).extracting(LedgerEntry::requestId).containsExactly("in", "r1", "s1", "a1");
        assertThat(lines.get(2).reservationId()).contains("r1");
        assertThat(lines.get(2).change()).isEqualTo(new Change(-2, -2, new Stock(SHIRT, 8, 0, 3)));
        assertThat(lines.get(3).note()).contains("counted");
        assertThat(lines.get(3).reservationId()).isEqualTo(Optional.empty());
        Instant now = Instant.now();
        assertThat(lines)
                .extracting(LedgerEntry::at)
                .allSatisfy(
                        at -> assertThat(at).isBetween(now.minus(Duration.ofHours(1)), now.plus(Duration.ofHours(1))));
    }

    @Test
    default void itIsReadPageByPage() {
        sell();
        List<LedgerEntry> all = inventory().ledger(SHIRT, 0, 100);
        List<LedgerEntry> first = inventory().ledger(SHIRT, 0, 3);
        assertThat(first).isEqualTo(all.subList(0, 3));
        assertThat(inventory().ledger(SHIRT, 3, 3)).isEqualTo(all.subList(3, 4));
        assertThat(inventory().ledger(SHIRT, 4, 3)).isEmpty();
        assertThat(inventory().ledger(new StockKey("NONE", "TOKYO"), 0, 3)).isEmpty();
    }

    @Test
    default void whatNoLedgerHasIsRefused() {
        assertThatThrownBy(() -> inventory().ledger(SHIRT, 0, 0))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessage("The number of lines must be between 1 and 10000, but was 0.");
        assertThatThrownBy(() -> inventory().ledger(new StockKey("SHIRT", " "), 0, 1))
                .isInstanceOf(InvalidRequestException.class);
    }
}
