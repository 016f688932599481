package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.Outcome.Repaired;
import dev.lockstep.inventory.Outcome.Shipped;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All ledgers as one feed. */
interface ChangesContract extends BackOffice {
    /** All lines after a position, read in pages. */
    private List<LedgerChange> all(long after, int page) {
        List<LedgerChange> all = new ArrayList<>();
        long position = after;
        List<LedgerChange> next = inventory().changes(position, page);
        while (!next.isEmpty()) {
            assertThat(next).hasSizeLessThanOrEqualTo(page);
            all.addAll(next);
            position = next.get(next.size() - 1).position();
            next = inventory().changes(position, page);
        }
        assertThat(all)
                .extracting(LedgerChange::position)
                .doesNotHaveDuplicates()
                .isSorted();
        return all;
    }

    private long end() {
        List<LedgerChange> all = all(0, 1_000);
        return all.isEmpty() ? 0 : all.get(all.size() - 1).position();
    }

    private static List<String> requests(List<LedgerChange> changes) {
        return changes.stream().map(change -> change.entry().requestId()).toList();
    }

    @Test
    default void everyLineIsInTheFeedAsInTheLedger() {
        receive(SHIRT, 10, "in");
        receive(HAT, 5, "hats");
        reserve(SHIRT, 2, "r1");
        assertThat(inventory().ship("r1", "s1")).isInstanceOf(Shipped.class);
        List<LedgerChange> all = all(0, 100);
        assertThat(all).extracting(LedgerChange::entry).containsExactlyInAnyOrderElementsOf(ledgers());

        reserve(HAT, 1, "r2");
        reserve(SHIRT, 1, "r3");
        List<LedgerChange> more = all(all.get(all.size() - 1).position(), 100);
        assertThat(requests(more)).containsExactlyInAnyOrder("r2", "r3");
        assertThat(all(0, 100)).hasSize(all.size() + 2).containsAll(all).containsAll(more);
    }

    private List<LedgerEntry> ledgers() {
        List<LedgerEntry> lines = new ArrayList<>(inventory().ledger(SHIRT, 0, 100));
        lines.addAll(inventory().ledger(HAT, 0, 100));
        return lines;
    }

    @Test
    default void itIsReadInPagesOfAnySize() {
        receive(SHIRT, 100, "in");
        receive(HAT, 100, "hats");
        for (int i = 0; i < 7; i++) {
            reserve(SHIRT, 1, "shirt-" + i);
            reserve(HAT, 1, "hat-" + i);
            if (i == 3) {
                assertThat(all(0, 100)).hasSize(10);
            }
        }
        List<LedgerChange> all = all(0, 100);
        assertThat(all).hasSize(16);
        for (int page = 1; page < 17; page++) {
            assertThat(all(0, page)).as("pages of %s", page).isEqualTo(all);
        }
        for (LedgerChange change : all) {
            int rest = all.size() - all.indexOf(change) - 1;
            assertThat(all(change.position(), 3)).hasSize(rest);
        }
    }

    @Test
    default void aRepairThatLeavesOutNumbersIsInTheFeed() {
        receive(SHIRT, 10, "in");
        long before = end();
        spoil("UPDATE inventory_location SET physical_qty = 8, version = 20");
        assertThat(inventory().repair(SHIRT, Remedy.KEEP_STOCK, "counted", "fix"))
                .isInstanceOf(Repaired.class);
        assertThat(requests(all(before, 100))).containsExactly("fix");
        reserve(SHIRT, 1, "r1");
        assertThat(requests(all(before, 1))).containsExactly("fix", "r1");
    }

    @Test
    default void aCheckpointStandsForTheLinesThatRetentionHasReplaced() throws Exception {
        receive(SHIRT, 10, "in");
        reserve(SHIRT, 1, "r1");
        long readSoFar = end();
        reserve(SHIRT, 1, "r2");
        end();
        reserve(SHIRT, 1, "r3");
        letTwoYearsPass();
        assertThat(inventory().retain(progress -> {}).ledgerLines()).isEqualTo(3);
        reserve(SHIRT, 2, "r4");

        List<LedgerChange> left = all(readSoFar, 100);
        assertThat(left)
                .extracting(change -> change.entry().type())
                .containsExactly(EntryType.CHECKPOINT, EntryType.RESERVE);
        assertThat(left.get(0).entry().change()).isEqualTo(new Change(10, 3, new Stock(SHIRT, 10, 3, 4)));
        assertThat(all(0, 1)).isEqualTo(left);
        reserve(SHIRT, 2, "r5");
        letTwoYearsPass();
        inventory().retain(progress -> {});
        assertThat(shop().number("SELECT COUNT(*) FROM inventory_change")).isZero();
        assertThat(all(0, 1)).hasSize(1);
    }

    @Test
    default void positionsThatWereNeverGivenAreRefused() {
        receive(SHIRT, 10, "in");
        long end = end();
        assertThat(inventory().changes(end, 1)).isEmpty();
        for (long wrong : new long[] {end + 1, -1}) {
            assertThatThrownBy(() -> inventory().changes(wrong, 1))
                    .isInstanceOf(InvalidRequestException.class)
                    .hasMessage("The position must be between 0 and " + end
                            + ", the last one of this database, but was " + wrong
                            + ". If the database was restored from a backup, begin again with 0.");
        }
        assertThatThrownBy(() -> inventory().changes(0, 10_001)).isInstanceOf(InvalidRequestException.class);
    }
}
