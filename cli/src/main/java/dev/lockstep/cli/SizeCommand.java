package dev.lockstep.cli;

import dev.lockstep.cli.store.DatabaseAddress;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.jdbc.BucketSizing;
import dev.lockstep.jdbc.Provisioning;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep size}: how many buckets are enough. */
@Command(
        name = "size",
        description = {
            "Says how many buckets (rows of each kind) are enough on MySQL and MariaDB.",
            "Keys that have nothing to do with each other may share a row. That costs waiting, never safety; more rows make it"
                    + " rarer. The numbers are about one kind."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  lockstep size --ids 1000000 --held 200",
            "  lockstep size --ids 1000000 --held 200 --buckets 100000,1000000 --chance 0.0001",
            "  lockstep size --ids 1000000 --held 200 --store jdbc:mysql://localhost/app --user app --password"
        })
final class SizeCommand implements Callable<Integer> {
    private static final int[] USUAL = {10_000, 100_000, 1_000_000, 10_000_000};

    private final Terminal terminal;

    @Option(names = "--ids", paramLabel = "N", required = true, description = "How many keys of the kind are in use.")
    private long ids;

    @Option(
            names = "--held",
            paramLabel = "N",
            required = true,
            description = "How many of them are held at the same moment, at most.")
    private long held;

    @Option(
            names = "--buckets",
            paramLabel = "N",
            split = ",",
            description = "Numbers of buckets to compare; 10,000 to 10,000,000 by default.")
    private List<Integer> buckets = List.of();

    @Option(
            names = "--chance",
            paramLabel = "P",
            defaultValue = "0.001",
            description =
                    "How often a request may meet a row that a key it has nothing to do with holds: 0.001 is once in 1,000 requests.")
    private double chance;

    @Mixin
    private StoreMixin store = new StoreMixin();

    SizeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (ids > 0 && held > ids) {
            throw new InvalidRequestException("--held " + held + " is more than --ids " + ids + ": of " + ids
                    + " keys at most " + ids + " are held at the same moment.");
        }
        int enough = BucketSizing.bucketsFor(held, chance);
        OptionalInt recorded = store.isGiven() ? recorded() : OptionalInt.empty();
        terminal.out().println(BucketSizing.table(ids, held, compared(recorded)));
        terminal.out().println();
        recorded.ifPresent(count -> say("The database has %,d buckets for each kind.", count));
        advise(enough, recorded);
        if (recorded.isPresent()) {
            say("How often requests really met a shared row only the processes know that take the locks:"
                    + " RowLockStore.sharedRowWaits() counts it there.");
        }
        return ExitCode.OK.number();
    }

    private int[] compared(OptionalInt recorded) {
        IntStream asked =
                buckets.isEmpty() ? IntStream.of(USUAL) : buckets.stream().mapToInt(Integer::intValue);
        return IntStream.concat(asked, recorded.stream()).sorted().distinct().toArray();
    }

    private OptionalInt recorded() {
        try (StoreAddress address = store.address()) {
            Optional<String> needless = address.whyNothingToProvision();
            if (needless.isPresent()) {
                say("%s", needless.get() + " The numbers are for MySQL and MariaDB.");
                return OptionalInt.empty();
            }
            OptionalInt found =
                    Provisioning.of(((DatabaseAddress) address).dataSource()).recordedBuckets();
            if (found.isEmpty()) {
                say(
                        "The rows of this database stand for single ids, which never share one. The numbers are for buckets.");
            }
            return found;
        }
    }

    private void advise(int enough, OptionalInt recorded) {
        if (recorded.isPresent() && recorded.getAsInt() >= enough) {
            say(
                    "That is enough: with %,d held, a request meets a row that it shares by chance at most %s.",
                    held, often());
            return;
        }
        int round = rounded(enough);
        say(
                "Take %,d buckets or more, such as %,d: with %,d held, a request then meets a row that it shares by chance at"
                        + " most %s. Make them with: lockstep provision --buckets %d",
                enough, round, held, often(), round);
        if (recorded.isPresent()) {
            say(
                    "The number of a database can't be changed while locks are taken: see docs/operations.md, Provisioning.");
        }
    }

    private String often() {
        return chance == 1 ? "every time" : String.format(Locale.ROOT, "once in %,.0f times", 1 / chance);
    }

    /** The next number that begins with 1, 2 or 5 and continues with zeros. */
    private static int rounded(int number) {
        for (long power = 1; ; power *= 10) {
            for (long first : new long[] {1, 2, 5}) {
                if (first * power >= number) {
                    return (int) Math.min(first * power, Integer.MAX_VALUE);
                }
            }
        }
    }

    private void say(String format, Object... values) {
        terminal.out().println(String.format(Locale.ROOT, format, values));
    }
}
