package dev.lockstep.jdbc;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.jdbc.sql.Numbers;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How much false contention a number of buckets brings: keys that have nothing to do with each other but share a row.
 *
 * <p>The numbers are about one kind, whose keys are spread evenly over its rows. Sharing a row costs waiting, never safety, and
 * two that share one meet only while one holds it and at least one of them asks for it exclusively.
 *
 * @param ids how many keys of the kind are in use
 * @param buckets how many rows the kind has
 */
public record BucketSizing(long ids, int buckets) {
    private static final double HASHES = 0x1p32;

    /** What a row takes on disk when rows were created in order, measured on MySQL 8.0 and MariaDB 11.4. */
    private static final int BYTES_PER_ROW = 28;

    /** Checks both numbers. */
    public BucketSizing {
        if (ids < 0) {
            throw new InvalidRequestException("There are " + ids + " ids. Give 0 or more.");
        }
        if (buckets < 1) {
            throw new InvalidRequestException(
                    "There are " + buckets + " buckets. Give 1 to " + Integer.MAX_VALUE + ".");
        }
    }

    /**
     * The chance that two given keys share a row. It is a little above 1 in {@link #buckets}, because 2^32 hash values can't be
     * dealt out evenly to most numbers of buckets: some get one more.
     */
    public double chanceTwoShare() {
        double most = Math.floor(HASHES / buckets) + 1;
        double withMost = HASHES % buckets;
        double withOneLess = buckets - withMost;
        return (withMost * square(most / HASHES)) + (withOneLess * square((most - 1) / HASHES));
    }

    private static double square(double number) {
        return number * number;
    }

    /** The chance that any two of the keys share a row. */
    public double chanceAnyShare() {
        double share = chanceTwoShare();
        double logNone = 0;
        for (long placed = 1; placed < ids && logNone > -50; placed++) {
            if (placed * share >= 1) {
                return 1;
            }
            logNone += Math.log1p(-placed * share);
        }
        return -Math.expm1(logNone);
    }

    /** How many pairs of keys share a row on average. */
    public double expectedSharingPairs() {
        return ids / 2.0 * (ids - 1) * chanceTwoShare();
    }

    /** The chance that a given key shares its row with at least one other of the keys. */
    public double chanceOneShares() {
        return ids == 0 ? 0 : chanceOfMeeting(ids - 1);
    }

    /** The chance that a key's row is one of those that some other keys, held at this moment, use. */
    public double chanceOfMeeting(long held) {
        return chance(requireHeld(held), chanceTwoShare());
    }

    private static double chance(long held, double share) {
        return share >= 1 ? Math.min(held, 1) : -Math.expm1(held * Math.log1p(-share));
    }

    private static long requireHeld(long held) {
        if (held < 0) {
            throw new InvalidRequestException(held + " locks are held. Give 0 or more.");
        }
        return held;
    }

    /** The smallest number of buckets with which a request meets the row of one of this many held keys with at most this chance. */
    public static int bucketsFor(long held, double chance) {
        requireHeld(held);
        if (!(chance > 0 && chance <= 1)) {
            throw new InvalidRequestException(
                    "The chance is " + chance + ". Give more than 0 and at most 1, such as 0.001.");
        }
        if (chance(held, new BucketSizing(0, Integer.MAX_VALUE).chanceTwoShare()) > chance) {
            throw new InvalidRequestException(
                    "No number of buckets up to " + Integer.MAX_VALUE + " is enough for " + held
                            + " held locks and a chance of " + chance
                            + ". Accept a higher chance, or give each key its own row with Provisioning.ids(…).");
        }
        return search(held, chance);
    }

    private static int search(long held, double chance) {
        long tooFew = 0;
        long enough = Integer.MAX_VALUE;
        while (enough - tooFew > 1) {
            long middle = (tooFew + enough) / 2;
            if (new BucketSizing(0, (int) middle).chanceOfMeeting(held) <= chance) {
                enough = middle;
            } else {
                tooFew = middle;
            }
        }
        return (int) enough;
    }

    /** What the rows of one kind take on disk, about. */
    public long bytesOnDisk() {
        return (long) buckets * BYTES_PER_ROW;
    }

    /** One line for each number of buckets, under a heading, to compare them by. */
    public static String table(long ids, long held, int... buckets) {
        String heading = String.format(
                Locale.ROOT,
                "%,d ids, %,d of them held\n%15s %10s %23s %23s %15s\n",
                ids,
                held,
                "buckets",
                "size",
                "chance: any two share",
                "chance: request meets",
                "pairs sharing");
        return IntStream.of(buckets)
                .mapToObj(count -> new BucketSizing(ids, count).line(held))
                .collect(Collectors.joining("\n", heading, ""));
    }

    private String line(long held) {
        return String.format(
                Locale.ROOT,
                "%,15d %10s %23s %23s %,15.1f",
                buckets,
                Numbers.bytes(bytesOnDisk()),
                Numbers.percent(chanceAnyShare()),
                Numbers.percent(chanceOfMeeting(held)),
                expectedSharingPairs());
    }

    /** {@code 1,000 ids in 100,000 buckets (2.8 MB): …}. */
    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d ids in %,d buckets (%s): a given id shares its row with chance %s, any two do with %s; %.1f pairs share one",
                ids,
                buckets,
                Numbers.bytes(bytesOnDisk()),
                Numbers.percent(chanceOneShares()),
                Numbers.percent(chanceAnyShare()),
                expectedSharingPairs());
    }
}
