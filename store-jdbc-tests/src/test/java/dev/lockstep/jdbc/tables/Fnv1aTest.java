package dev.lockstep.jdbc.tables;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testkit.Tenancy;
import java.nio.charset.StandardCharsets;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class Fnv1aTest {
    @ParameterizedTest
    @CsvSource({
        "'',811c9dc5",
        "a,e40c292c",
        "b,e70c2de5",
        "c,e60c2c52",
        "f,e30c2799",
        "fo,6222e842",
        "foo,a9f37ed7",
        "foob,3f5076ef",
        "fooba,39aaa18a",
        "foobar,bf9cf968"
    })
    void hashesAsPublished(String text, String hash) {
        assertThat(Fnv1a.hash(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(Integer.parseUnsignedInt(hash, 16));
    }

    @Test
    void takesBytesAsUnsigned() {
        assertThat(Fnv1a.hash(new byte[] {(byte) 0xff})).isEqualTo((int) ((0x811c9dc5L ^ 0xff) * 0x01000193L));
    }

    @Test
    void takesTheHashAsUnsignedForTheBucket() {
        byte[] foobar = "foobar".getBytes(StandardCharsets.UTF_8);
        assertThat(Fnv1a.bucket(foobar, 10_000_000)).isEqualTo((int) (0xbf9cf968L % 10_000_000));
        assertThat(Fnv1a.bucket(foobar, 1)).isZero();
        assertThat(Fnv1a.bucket(foobar, Integer.MAX_VALUE)).isEqualTo((int) (0xbf9cf968L % Integer.MAX_VALUE));
    }

    @Test
    void spreadsKeysThatDifferOnlyInANumberOverAllBuckets() {
        int buckets = 1_000;
        int[] found = new int[buckets];
        IntStream.range(0, 100_000)
                .mapToObj(i -> Tenancy.resource("u" + i % 10, "a" + i % 100, "r" + i))
                .forEach(key -> found[Fnv1a.bucket(key.canonicalBytes(), buckets)]++);
        assertThat(IntStream.of(found).boxed())
                .allSatisfy(count -> assertThat(count)
                        .as("100 are expected, with a deviation of 10")
                        .isBetween(40, 170));
    }
}
