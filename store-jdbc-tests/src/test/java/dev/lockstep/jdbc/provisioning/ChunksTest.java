package dev.lockstep.jdbc.provisioning;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ChunksTest {
    @Property
    void chunksFollowEachOtherAndHoldEveryRowOnce(
            @ForAll @IntRange(min = 1, max = 50_000) int rows, @ForAll @IntRange(min = 1, max = 60_000) int size) {
        Chunks chunks = new Chunks(rows, size);
        int next = 0;
        for (int chunk = 0; chunk < chunks.count(); chunk++) {
            assertThat(chunks.first(chunk)).isEqualTo(next);
            assertThat(chunks.rowsOf(chunk)).isBetween(1, size);
            next += chunks.rowsOf(chunk);
        }
        assertThat(next).isEqualTo(rows);
    }

    @Test
    void theLargestNumberOfBucketsDoesNotOverflow() {
        Chunks chunks = new Chunks(Integer.MAX_VALUE, 1_000_000);
        int last = chunks.count() - 1;
        assertThat((long) chunks.first(last) + chunks.rowsOf(last)).isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void refusesChunksThatNoServerOrMemoryLikes() {
        assertThatThrownBy(() -> new Chunks(10, 0)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> new Chunks(10, 1_000_001)).hasMessageContaining("Give 1 to 1000000");
        assertThatThrownBy(() -> new Chunks(Integer.MAX_VALUE, 100))
                .hasMessageContaining("Give a chunk of 100000 rows");
    }

    @Test
    void numbersHaveAsManyDigitsAsTheChunkNeeds() {
        IntStream.of(1, 10)
                .forEach(size -> assertThat(new Chunks(10, size).numbers())
                        .contains("d0.digit * 1 AS n")
                        .doesNotContain("d1"));
        assertThat(new Chunks(10, 11).numbers()).contains("d0.digit * 1 + d1.digit * 10 AS n");
        assertThat(new Chunks(10, 100_000).numbers())
                .contains("d4.digit * 10000 AS n")
                .contains("digits AS d3 CROSS JOIN digits AS d4");
    }
}
