package dev.lockstep.cli;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.cli.provision.IdFile;
import dev.lockstep.cli.provision.KindDeclarations;
import dev.lockstep.cli.provision.ProgressDisplay;
import dev.lockstep.cli.store.DatabaseAddress;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.cli.terminal.Mark;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
import dev.lockstep.jdbc.MissingRows;
import dev.lockstep.jdbc.Provisioning;
import dev.lockstep.jdbc.ProvisioningReport;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code lockstep provision}: creates the rows that locks on MySQL and MariaDB need. */
@Command(
        name = "provision",
        description = {
            "Creates the tables and rows that locks on MySQL and MariaDB need, and says how far it is.",
            "It makes only what is missing, so it can be run again at any time, beside running locks too. Ctrl-C or a kill"
                    + " loses nothing: the same command continues. PostgreSQL and Redis need no rows; it says so and ends.",
            "With --epochs it makes what a database needs to be the secondary of a fallback store."
        },
        mixinStandardHelpOptions = true,
        footer = {
            "",
            "Examples:",
            "  lockstep provision --store jdbc:mysql://localhost/app --user app --password \\",
            "      --kind user:0 --kind account:1:user --kind resource:2:account:leaf --buckets 1000000",
            "  lockstep provision --store jdbc:mysql://localhost/app --check",
            "  lockstep provision --kind user:0 --kind account:1:user --buckets 100000 --print-sql > V7__locks.sql",
            "  lockstep provision --store jdbc:mariadb://localhost/app --kind machine:0 --ids-from machines.txt",
            "  lockstep provision --store jdbc:postgresql://localhost/app --epochs --pair orders"
        })
final class ProvisionCommand implements Callable<Integer> {
    /** A chunk is made in a second or so. */
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final int MOST_LINES = 20;

    private final Terminal terminal;

    @Mixin
    private StoreMixin store = new StoreMixin();

    @Option(
            names = "--kind",
            paramLabel = "NAME:RANK[:PARENT][:leaf]",
            description = {
                "A kind, as the application declares it; once for each. 'leaf': nothing is ever locked below it.",
                "Without any: all kinds that the database knows."
            })
    private List<String> kinds = List.of();

    @Option(
            names = "--buckets",
            paramLabel = "N",
            description =
                    "Rows of each kind in a new database, 10,000,000 by default. 'lockstep size' helps to choose.")
    private @Nullable Integer buckets;

    @Option(
            names = "--ids-from",
            paramLabel = "FILE",
            description =
                    "A row for each key of the file instead of buckets: one a line, such as user:u1/account:a1; '-' reads the standard input.")
    private @Nullable String idsFrom;

    @Option(names = "--chunk", paramLabel = "N", description = "Rows in one transaction, 100,000 by default.")
    private @Nullable Integer chunk;

    @ArgGroup(exclusive = false)
    private EpochsOption epochs = new EpochsOption();

    @ArgGroup
    private Instead instead = new Instead();

    /** What to do instead of making rows. */
    static final class Instead {
        @Option(
                names = "--check",
                description = "Only say what is missing; exit code 1 if something is. Changes nothing.")
        private boolean check;

        @Option(
                names = "--print-sql",
                description =
                        "Only print the SQL, for a migration or an administrator. Needs no store; for --epochs its URL, but no"
                                + " connection.")
        private boolean printSql;
    }

    ProvisionCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() {
        if (epochs.isGiven()) {
            return epochs().number();
        }
        ExitCode code = store.isGiven() || !instead.printSql ? at() : print();
        return code.number();
    }

    private ExitCode epochs() {
        if (!kinds.isEmpty() || buckets != null || chunk != null || idsFrom != null) {
            throw new InvalidRequestException(
                    "--epochs makes no rows for locks. Leave --kind, --buckets, --ids-from and --chunk out, and run provision"
                            + " once more with them and without --epochs.");
        }
        try (StoreAddress address = store.address()) {
            if (instead.printSql) {
                return epochs.print(address, terminal);
            }
            return instead.check ? epochs.check(address, terminal) : epochs.run(address, terminal);
        }
    }

    private ExitCode at() {
        try (StoreAddress address = store.address()) {
            Optional<String> needless = address.whyNothingToProvision();
            if (needless.isPresent()) {
                (instead.printSql ? terminal.err() : terminal.out()).println(needless.get());
                return ExitCode.OK;
            }
            if (instead.printSql) {
                return print();
            }
            Provisioning provisioning = with(Provisioning.of(((DatabaseAddress) address).dataSource()));
            if (instead.check) {
                return check(provisioning);
            }
            requireKnownKinds(provisioning);
            return run(provisioning);
        }
    }

    private Provisioning with(Provisioning provisioning) {
        LockKind[] declared = KindDeclarations.of(kinds);
        if (declared.length > 0) {
            provisioning.kinds(declared);
        }
        if (buckets != null) {
            provisioning.buckets(buckets);
        }
        if (chunk != null) {
            provisioning.chunk(chunk);
        }
        if (idsFrom != null) {
            provisioning.ids(IdFile.read(idsFrom, requireKinds(declared)));
        }
        return provisioning;
    }

    /** Before the first write: the number of buckets of a new database can't be changed afterwards. */
    private void requireKnownKinds(Provisioning provisioning) {
        if (!kinds.isEmpty()) {
            return;
        }
        try {
            provisioning.recordedBuckets();
        } catch (LockException e) {
            if (e.code() != ErrorCode.STORE_FAILED) {
                throw e;
            }
            throw new InvalidRequestException(
                    "The database has no lock tables yet, and no --kind says what they are for. Nothing was changed. Name"
                            + " each kind, such as --kind user:0 --kind account:1:user.");
        }
    }

    private static LockKind[] requireKinds(LockKind[] declared) {
        if (declared.length == 0) {
            throw new InvalidRequestException(
                    "--ids-from needs the kinds of its keys. Add --kind for each, such as --kind user:0.");
        }
        return declared;
    }

    // ---- the three things to do

    private ExitCode print() {
        try (HikariDataSource nowhere = new HikariDataSource()) { // never connects
            Provisioning provisioning = with(Provisioning.of(nowhere));
            if (buckets == null && idsFrom == null) {
                throw new InvalidRequestException(
                        "--print-sql needs the number of rows of each kind, which can't be changed later. Add --buckets N;"
                                + " 'lockstep size' helps to choose.");
            }
            terminal.out().print(provisioning.script());
            terminal.out().flush();
            return ExitCode.OK;
        }
    }

    private ExitCode check(Provisioning provisioning) {
        MissingRows missing = provisioning.missing();
        if (missing.isEmpty()) {
            terminal.entry(Mark.GOOD, missing.toString(), "");
            return ExitCode.OK;
        }
        List<String> lines = missing.toString().lines().toList();
        int summary = lines.size() - 1;
        lines.subList(0, Math.min(MOST_LINES, summary)).forEach(line -> terminal.entry(Mark.BAD, line, ""));
        if (summary > MOST_LINES) {
            terminal.out().println("... and " + (summary - MOST_LINES) + " more lines like these");
        }
        terminal.out().println(lines.get(summary));
        return ExitCode.NOT_AS_IT_SHOULD;
    }

    @SuppressWarnings("try") // the display is closed early, and again
    private ExitCode run(Provisioning provisioning) {
        try (ProgressDisplay display = ProgressDisplay.on(terminal);
                OrderlyEnd end = OrderlyEnd.within(PATIENCE, () -> stopped(display))) {
            try {
                ProvisioningReport report = provisioning.listener(display).run();
                display.close();
                terminal.entry(Mark.GOOD, report.toString(), "");
                return ExitCode.OK;
            } catch (LockException e) {
                if (ExitCode.of(e.code()) != ExitCode.INTERRUPTED && !end.isAsked()) {
                    throw e;
                }
                stopped(display);
                return ExitCode.INTERRUPTED;
            }
        }
    }

    private void stopped(ProgressDisplay display) {
        display.close();
        String far = display.last()
                .map(progress -> String.format(
                        java.util.Locale.ROOT, "%,d of %,d rows are there", progress.rowsDone(), progress.rowsTotal()))
                .orElse("no rows were made");
        terminal.err().println("Stopped: " + far + ". The same command continues from here.");
    }
}
