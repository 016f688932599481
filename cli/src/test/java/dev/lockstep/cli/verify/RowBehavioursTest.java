package dev.lockstep.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The trial of rows tells a store that takes them as it should from those that don't. */
@Tag("once")
@Timeout(600)
class RowBehavioursTest {
    private static TrialOutcome tried(RowStore.Flaw flaw, String id) throws InterruptedException {
        return Trials.run(Trials.onRows(flaw), Trials.BRIEF, BehaviourTable.only(List.of(id)))
                .results()
                .get(0)
                .outcome();
    }

    @ParameterizedTest
    @ValueSource(strings = {"H8", "H9"})
    void aStoreThatTakesRowsAsItShouldPasses(String id) throws InterruptedException {
        assertThat(tried(RowStore.Flaw.NONE, id)).isInstanceOf(TrialOutcome.Passed.class);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            SORTS_BY_KEY          | H8 | in the lower row, was free while the set waited | order of the ids
            TAKES_A_ROW_TWICE     | H8 | was refused | locked that should be free
            SKIPS_MISSING_ROWS    | H9 | was granted although the row of user:H9-u1/account:a1/resource:r1 is missing | Two hold at once
            HIDES_THE_MISSING_ROW | H9 | doesn't say [rows_in_memory, bucket = | doesn't lead to the row
            REFUSES_MISSING_ROWS  | H9 | refused as if another party held it | doesn't lead to the row
            """)
    void aStoreThatDoesNotIsCaught(RowStore.Flaw flaw, String id, String seen, String meaning)
            throws InterruptedException {
        assertThat(tried(flaw, id)).isInstanceOfSatisfying(TrialOutcome.Failed.class, failed -> {
            assertThat(failed.seen()).contains(seen);
            assertThat(failed.meaning()).contains(meaning);
        });
    }

    @Test
    void theSetsMeetInTheSameTwoRowsInOppositeOrder() {
        RowStore rows = RowStore.with(RowStore.Flaw.NONE);
        CrossingRows sets = CrossingRows.find(rows, "H8");

        assertThat(rows.bucket(sets.along().lower()))
                .isEqualTo(rows.bucket(sets.against().lower()))
                .isLessThan(rows.bucket(sets.along().higher()));
        assertThat(rows.bucket(sets.along().higher()))
                .isEqualTo(rows.bucket(sets.against().higher()));
        assertThat(sets.along().lower()).isLessThan(sets.along().higher());
        assertThat(sets.against().lower()).isGreaterThan(sets.against().higher());
        assertThat(List.of(
                        sets.along().lower(), sets.along().higher(),
                        sets.against().lower(), sets.against().higher()))
                .doesNotHaveDuplicates();
        rows.close();
    }

    @Test
    void aStoreWithoutRowsHasNothingToProve() throws InterruptedException {
        Report report =
                Trials.run(Trials.on(MemoryStore.create()), Trials.BRIEF, BehaviourTable.only(List.of("H8", "H9")));

        assertThat(report.results())
                .hasSize(2)
                .allSatisfy(result -> assertThat(result.outcome()).isInstanceOf(TrialOutcome.Inapplicable.class));
    }
}
