package dev.lockstep.cli.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.cli.store.Scratch;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.memory.MemoryStore;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("once")
@Timeout(300)
class BehaviourTableTest {
    @Test
    void everyBehaviourPassesInMemory() throws InterruptedException {
        Report report = Trials.run(Trials.on(MemoryStore.create()), Trials.BRIEF, BehaviourTable.all());

        assertThat(report.results())
                .allSatisfy(result -> assertThat(result.outcome())
                        .isInstanceOfAny(TrialOutcome.Passed.class, TrialOutcome.Inapplicable.class));
        assertThat(report.results())
                .filteredOn(result -> result.outcome() instanceof TrialOutcome.Inapplicable)
                .extracting(result -> result.behaviour().id())
                .containsExactlyElementsOf(DocumentedBehaviours.inapplicableTo("memory"));
        assertThat(report.isProof()).isTrue();
    }

    @Test
    void theDocumentsListThemAll() {
        assertThat(DocumentedBehaviours.rows())
                .extracting(row -> row.id() + " " + row.title())
                .containsExactlyInAnyOrderElementsOf(BehaviourTable.onlyOfPair(List.of()).stream()
                        .map(behaviour -> behaviour.id() + " " + behaviour.title())
                        .toList());
        assertThat(DocumentedBehaviours.rows())
                .filteredOn(row -> row.where().equals("with `--fallback`"))
                .extracting(DocumentedBehaviours.Row::id)
                .containsExactlyElementsOf(
                        PairBehaviours.all().stream().map(Behaviour::id).toList());
    }

    @Test
    void idsAreUnique() {
        assertThat(BehaviourTable.all()).extracting(Behaviour::id).doesNotHaveDuplicates();
    }

    @Test
    void aRequirementMeansAllItsBehaviours() {
        assertThat(BehaviourTable.only(List.of("h4.3", "O3")))
                .extracting(Behaviour::id)
                .containsExactly("H4.3.1", "H4.3.2", "O3");
    }

    @Test
    void anUnknownBehaviourIsRefusedWithThoseThatThereAre() {
        assertThatThrownBy(() -> BehaviourTable.only(List.of("H4", "H99")))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("no behaviour 'H99'")
                .hasMessageContaining("H4.3.1, H4.3.2");
    }

    @Test
    void noTwoKeysOfABehaviourShareARow() {
        assertThat(BehaviourTable.all())
                .allSatisfy(behaviour -> assertThat(new Things(behaviour.id()).all())
                        .extracting(BehaviourTableTest::row)
                        .doesNotHaveDuplicates());
    }

    /** As a database finds it: the kind, and FNV-1a of the key's bytes modulo the number of rows. */
    private static String row(LockKey key) {
        int hash = 0x811c9dc5;
        for (byte each : key.canonicalBytes()) {
            hash = (hash ^ (each & 0xff)) * 0x01000193;
        }
        return key.kind().prefix() + " " + Integer.remainderUnsigned(hash, Scratch.ROWS);
    }
}
