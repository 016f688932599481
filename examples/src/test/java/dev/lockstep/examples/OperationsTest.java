package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.jdbc.BucketSizing;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The figures of docs/operations.md are those that the library gives. */
class OperationsTest {
    private static final String DOCUMENT = Repository.read(Repository.ROOT.resolve("docs/operations.md"));

    @Test
    @DisplayName("the table of bucket sizes is what BucketSizing prints")
    void sizes() {
        // tag::sizing-table
        String table = BucketSizing.table(1_000_000, 200, 10_000, 100_000, 1_000_000, 10_000_000);
        // end::sizing-table
        assertThat(DOCUMENT).contains("```text\n" + table + "\n```");
    }

    @Test
    @DisplayName("the number of buckets for a chance is what BucketSizing answers")
    void buckets() {
        // tag::sizing
        int buckets = BucketSizing.bucketsFor(200, 0.001);
        // end::sizing
        assertThat(DOCUMENT).contains(String.format("**%,d**", buckets));
    }

    @Test
    @DisplayName("pairs of keys that share a lock on PostgreSQL are as rare as is said")
    void advisory() {
        double ids = 1_000_000;
        double pairs = ids * (ids - 1) / 2 / 0x1p48;
        assertThat(pairs).isBetween(0.0017, 0.0018);
        assertThat(DOCUMENT).contains("0.0018 pairs");
    }
}
