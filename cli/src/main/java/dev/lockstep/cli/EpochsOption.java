package dev.lockstep.cli;

import dev.lockstep.cli.store.DatabaseAddress;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.cli.terminal.Mark;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.jdbc.EpochTable;
import picocli.CommandLine.Option;

/** {@code lockstep provision --epochs}: makes what a database needs to be the secondary of a pair. */
final class EpochsOption {
    @Option(
            names = "--epochs",
            required = true,
            description = {
                "Makes, instead of rows for locks, the table and the row that a database needs to be the secondary of a fallback"
                        + " store: MySQL, MariaDB or PostgreSQL.",
                "Once for each pair. Running it again changes nothing."
            })
    private boolean epochs;

    @Option(
            names = "--pair",
            paramLabel = "NAME",
            defaultValue = "default",
            description = "The name of the pair, as its stores give it; 'default' by default.")
    private String pair = "default";

    boolean isGiven() {
        return epochs;
    }

    ExitCode print(StoreAddress address, Terminal terminal) {
        terminal.out().print(EpochTable.script(database(address).productOfUrl(), pair));
        terminal.out().flush();
        return ExitCode.OK;
    }

    ExitCode check(StoreAddress address, Terminal terminal) {
        boolean there = EpochTable.on(database(address).dataSource()).isProvisioned(pair);
        terminal.entry(
                there ? Mark.GOOD : Mark.BAD,
                "The row of the pair '" + pair + "' is " + (there ? "there" : "missing"),
                "");
        return there ? ExitCode.OK : ExitCode.NOT_AS_IT_SHOULD;
    }

    ExitCode run(StoreAddress address, Terminal terminal) {
        boolean made = EpochTable.on(database(address).dataSource()).provision(pair);
        terminal.entry(
                Mark.GOOD, "The row of the pair '" + pair + "' " + (made ? "was made" : "was already there"), "");
        return ExitCode.OK;
    }

    private static DatabaseAddress database(StoreAddress address) {
        if (address instanceof DatabaseAddress database) {
            return database;
        }
        throw new InvalidRequestException(
                "--epochs is for the secondary of a pair, which is a database. Write --store jdbc:mysql://host/database,"
                        + " jdbc:mariadb://host/database or jdbc:postgresql://host/database.");
    }
}
