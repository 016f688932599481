package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class BucketSizingPropertyTest {
    /** Counts every way to place the ids. */
    @Property(tries = 200)
    void agreesWithCountingAllPlacements(
            @ForAll @IntRange(min = 1, max = 6) int buckets, @ForAll @IntRange(min = 0, max = 6) int ids) {
        int placements = (int) Math.pow(buckets, ids);
        int[] sharing = IntStream.range(0, placements)
                .map(placement -> pairsSharing(placement, ids, buckets))
                .toArray();
        BucketSizing sizing = new BucketSizing(ids, buckets);
        assertThat(sizing.chanceAnyShare())
                .isCloseTo(
                        IntStream.of(sharing).filter(pairs -> pairs > 0).count() / (double) placements, within(1e-9));
        assertThat(sizing.expectedSharingPairs())
                .isCloseTo(IntStream.of(sharing).average().orElseThrow(), within(1e-9));
    }

    private static int pairsSharing(int placement, int ids, int buckets) {
        int[] found = new int[buckets];
        int pairs = 0;
        for (int id = 0, rest = placement; id < ids; id++, rest /= buckets) {
            pairs += found[rest % buckets]++;
        }
        return pairs;
    }

    @Property(tries = 20)
    void agreesWithTrying(
            @ForAll @IntRange(min = 50, max = 1_000) int buckets,
            @ForAll @IntRange(min = 1, max = 100) int held,
            @ForAll Random random) {
        int tries = 20_000;
        int met = 0;
        for (int i = 0; i < tries; i++) {
            int asked = random.nextInt(buckets);
            met += random.ints(held, 0, buckets).anyMatch(row -> row == asked) ? 1 : 0;
        }
        double chance = new BucketSizing(0, buckets).chanceOfMeeting(held);
        double deviation = Math.sqrt(chance * (1 - chance) / tries);
        assertThat(met / (double) tries).isCloseTo(chance, within(6 * deviation));
    }

    @Property
    void theNumberOfBucketsIsTheSmallestThatIsEnough(
            @ForAll @IntRange(min = 1, max = 100_000) int held,
            @ForAll @IntRange(min = 100, max = 999_900) int perMillion) {
        double chance = perMillion / 1e6;
        int buckets = BucketSizing.bucketsFor(held, chance);
        assertThat(new BucketSizing(0, buckets).chanceOfMeeting(held)).isLessThanOrEqualTo(chance);
        if (buckets > 1) {
            assertThat(new BucketSizing(0, buckets - 1).chanceOfMeeting(held)).isGreaterThan(chance);
        }
    }

    @Property
    void anUnevenHashAddsLittleAndNeverTakesAway(@ForAll @IntRange(min = 1, max = Integer.MAX_VALUE) int buckets) {
        assertThat(new BucketSizing(0, buckets).chanceTwoShare() * buckets).isBetween(1 - 1e-12, 1.05);
    }
}
