package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.core.InvalidRequestException;
import org.assertj.core.data.Percentage;
import org.junit.jupiter.api.Test;

class BucketSizingTest {
    @Test
    void isTheBirthdayParadox() {
        assertThat(new BucketSizing(23, 365).chanceAnyShare()).isCloseTo(0.5073, within(0.0001));
        assertThat(new BucketSizing(22, 365).chanceAnyShare()).isCloseTo(0.4757, within(0.0001));
        assertThat(new BucketSizing(366, 365).chanceAnyShare()).isEqualTo(1);
    }

    @Test
    void noIdsShareNothingAndOneBucketIsSharedByAll() {
        assertThat(new BucketSizing(0, 10).chanceAnyShare()).isZero();
        assertThat(new BucketSizing(0, 10).chanceOneShares()).isZero();
        assertThat(new BucketSizing(1, 10).chanceAnyShare()).isZero();
        assertThat(new BucketSizing(0, 10).expectedSharingPairs()).isZero();
        assertThat(new BucketSizing(2, 1).chanceAnyShare()).isEqualTo(1);
        assertThat(new BucketSizing(2, 1).chanceOfMeeting(0)).isZero();
        assertThat(new BucketSizing(2, 1).chanceOfMeeting(7)).isEqualTo(1);
    }

    @Test
    void smallChancesKeepTheirDigits() {
        BucketSizing sizing = new BucketSizing(2, Integer.MAX_VALUE);
        assertThat(sizing.chanceAnyShare()).isCloseTo(1.0 / Integer.MAX_VALUE, Percentage.withPercentage(1e-6));
        assertThat(sizing.chanceOfMeeting(3)).isCloseTo(3.0 / Integer.MAX_VALUE, Percentage.withPercentage(1e-6));
    }

    @Test
    void hugeNumbersAnswerAtOnce() {
        assertThat(new BucketSizing(Long.MAX_VALUE, Integer.MAX_VALUE).chanceAnyShare())
                .isEqualTo(1);
        assertThat(new BucketSizing(10_000_000_000L, 10_000_000).expectedSharingPairs())
                .isCloseTo(5e12, Percentage.withPercentage(0.01));
    }

    @Test
    void knowsThatAHashOf32BitsDoesNotDivideEvenly() {
        assertThat(new BucketSizing(0, 10_000_000).chanceTwoShare()).isCloseTo(1e-7, Percentage.withPercentage(0.001));
        assertThat(new BucketSizing(0, 1_800_000_000).chanceTwoShare() * 1_800_000_000)
                .as("a third of the buckets gets three hash values, the others two")
                .isBetween(1.03, 1.05);
    }

    @Test
    void saysHowManyBucketsAreNeeded() {
        assertThat(BucketSizing.bucketsFor(0, 0.5)).isEqualTo(1);
        assertThat(BucketSizing.bucketsFor(100, 1)).isEqualTo(1);
        assertThat(BucketSizing.bucketsFor(1, 0.25)).isEqualTo(4);
        assertThat(BucketSizing.bucketsFor(1_000, 0.001)).isBetween(999_000, 1_001_000);
        assertThatThrownBy(() -> BucketSizing.bucketsFor(1_000_000, 1e-6))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("Provisioning.ids");
    }

    @Test
    void refusesNumbersThatMeanNothing() {
        assertThatThrownBy(() -> new BucketSizing(-1, 10)).hasMessageContaining("Give 0 or more");
        assertThatThrownBy(() -> new BucketSizing(1, 0)).hasMessageContaining("Give 1 to 2147483647");
        assertThatThrownBy(() -> new BucketSizing(1, 1).chanceOfMeeting(-1)).hasMessageContaining("Give 0 or more");
        assertThatThrownBy(() -> BucketSizing.bucketsFor(1, 0)).hasMessageContaining("such as 0.001");
        assertThatThrownBy(() -> BucketSizing.bucketsFor(1, Double.NaN)).hasMessageContaining("such as 0.001");
    }

    @Test
    void readsWell() {
        assertThat(new BucketSizing(1_000, 100_000))
                .hasToString("1,000 ids in 100,000 buckets (2.8 MB): a given id shares its row with chance 1.0 %,"
                        + " any two do with 99.3 %; 5.0 pairs share one");
        assertThat(BucketSizing.table(10_000, 50, 100_000, 10_000_000)).isEqualTo("""
                        10,000 ids, 50 of them held
                                buckets       size   chance: any two share   chance: request meets   pairs sharing
                                100,000     2.8 MB                 100.0 %              1 in 2,000           500.0
                             10,000,000     280 MB                  99.3 %            1 in 200,000             5.0""");
    }
}
