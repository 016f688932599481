package dev.lockstep.cli;

import dev.lockstep.cli.inventory.InventoryPrinter;
import dev.lockstep.cli.store.Credentials;
import dev.lockstep.cli.store.DatabaseAddress;
import dev.lockstep.cli.store.StoreAddress;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryBuilder;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Where the stock is, for the commands of operators. */
final class StockMixin {
    @Option(
            names = "--inventory",
            paramLabel = "URL",
            defaultValue = "${env:LOCKSTEP_INVENTORY}",
            description =
                    "The database of the stock, if it is not that of --store; else the variable LOCKSTEP_INVENTORY names it, and"
                            + " LOCKSTEP_INVENTORY_PASSWORD has its password.")
    private @Nullable String url;

    @Option(names = "--inventory-user", paramLabel = "USER", description = "Its user, unless the URL names it.")
    private @Nullable String user;

    @Option(
            names = "--table-prefix",
            paramLabel = "PREFIX",
            description = "What the names of the tables begin with, if the application has set a prefix.")
    private @Nullable String prefix;

    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Spec(Spec.Target.MIXEE)
    private @Nullable CommandSpec command;

    /** What is done with the inventory; the exit code. */
    interface Use {
        ExitCode with(Inventory inventory, InventoryPrinter printer);
    }

    int use(StoreMixin store, Terminal terminal, Use use) {
        return use(store, terminal, builder -> builder, use);
    }

    int use(StoreMixin store, Terminal terminal, UnaryOperator<InventoryBuilder> options, Use use) {
        try (DatabaseAddress address = address(store)) {
            InventoryBuilder builder = Inventory.builder(address.dataSource()).sweepEvery(Duration.ZERO);
            if (prefix != null) {
                builder.tablePrefix(prefix);
            }
            try (Inventory inventory = options.apply(builder).build()) {
                return use.with(inventory, new InventoryPrinter(terminal, json)).number();
            }
        }
    }

    /** A flag wins over the variables; among the variables, the one that names only the stock. */
    private DatabaseAddress address(StoreMixin store) {
        boolean own = GivenFlags.first(command, "--inventory", "--store")
                || (url != null && !url.isBlank() && !GivenFlags.isGiven(command, "--store"));
        if (command != null) {
            refuseUnused(command, own);
        }
        StoreAddress address = own ? ofInventory(store, String.valueOf(url)) : store.address();
        if (address instanceof DatabaseAddress database) {
            return database;
        }
        address.close();
        throw new InvalidRequestException("Stock is in a database, and " + address
                + " is none. Name its database with --inventory URL, such as jdbc:postgresql://host/database.");
    }

    private static void refuseUnused(CommandSpec command, boolean own) {
        if (own) {
            GivenFlags.refuse(
                    command,
                    "They are for --store. The user of --inventory is --inventory-user, and its password is in"
                            + " LOCKSTEP_INVENTORY_PASSWORD",
                    "--user",
                    "--password",
                    "--password-file",
                    "--namespace");
        } else {
            GivenFlags.refuse(command, "The user of --store is --user", "--inventory-user");
        }
    }

    private StoreAddress ofInventory(StoreMixin store, String given) {
        store.prepareLogs();
        Credentials credentials = new Credentials(
                Optional.ofNullable(user), StoreMixin.variable(given, System.getenv("LOCKSTEP_INVENTORY_PASSWORD")));
        return StoreAddress.parse(given, credentials, Optional.empty());
    }
}
