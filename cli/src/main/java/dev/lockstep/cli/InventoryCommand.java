package dev.lockstep.cli;

import dev.lockstep.cli.inventory.InventoryPrinter;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.Command.Adjust;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Command.SetSafetyStock;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.LedgerEntry;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.inventory.ReconciliationReport;
import dev.lockstep.inventory.Remedy;
import dev.lockstep.inventory.Reservation;
import dev.lockstep.inventory.RetentionReport;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** {@code lockstep inventory}: what operators do with the stock. */
@Command(
        name = "inventory",
        description = {
            "Shows stock, reservations and ledgers, compares the books, and corrects them: on the database of the stock, beside"
                    + " running sales."
        },
        synopsisSubcommandLabel = "COMMAND",
        mixinStandardHelpOptions = true,
        scope = ScopeType.INHERIT,
        versionProvider = Version.class)
final class InventoryCommand implements Runnable {
    private final Terminal terminal;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    InventoryCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "Which command?");
    }

    @Command(
            name = "stock",
            description = "Shows how much there is of a SKU, at each location.",
            footer = {
                "",
                "Example:",
                "  lockstep inventory stock SHIRT-001 --store jdbc:postgresql://localhost/shop --user shop"
            })
    int stock(
            @Mixin StoreMixin store,
            @Mixin StockMixin stock,
            @Parameters(paramLabel = "SKU", description = "The SKU.") String sku) {
        return stock.use(store, terminal, (inventory, printer) -> {
            List<Stock> found = inventory.stock(sku);
            if (found.isEmpty()) {
                printer.error("There is no stock of " + sku + " at any location. Check the spelling.");
                return ExitCode.NOT_AS_IT_SHOULD;
            }
            printer.stock(found);
            return ExitCode.OK;
        });
    }

    @Command(
            name = "reservation",
            description = "Shows a reservation: its lines, its state, when it expires.",
            footer = {
                "",
                "Example:",
                "  lockstep inventory reservation order-4711 --store jdbc:postgresql://localhost/shop --user shop"
            })
    int reservation(
            @Mixin StoreMixin store,
            @Mixin StockMixin stock,
            @Parameters(paramLabel = "ID", description = "The request id that made it.") String id) {
        return stock.use(store, terminal, (inventory, printer) -> {
            Optional<Reservation> found = inventory.reservation(id);
            found.ifPresentOrElse(
                    printer::reservation,
                    () -> printer.error("There is no reservation '" + id
                            + "'. It never was, or it ended longer ago than the retention."));
            return found.isPresent() ? ExitCode.OK : ExitCode.NOT_AS_IT_SHOULD;
        });
    }

    @Command(
            name = "ledger",
            description = "Shows what changed a stock, when, and for which request: the last lines of its ledger.",
            footer = {
                "",
                "Examples:",
                "  lockstep inventory ledger SHIRT-001 TOKYO --store jdbc:postgresql://localhost/shop --user shop",
                "  lockstep inventory ledger SHIRT-001 TOKYO --after 1200 --lines 500 --json"
            })
    int ledger(
            @Mixin StoreMixin store,
            @Mixin StockMixin stock,
            @Parameters(paramLabel = "SKU", description = "The SKU.") String sku,
            @Parameters(paramLabel = "LOCATION", description = "The location.") String location,
            @Option(
                            names = "--after",
                            paramLabel = "NUMBER",
                            description = "The lines after the one of this number, instead of the last ones.")
                    @Nullable
                    Long after,
            @Option(
                            names = "--lines",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "How many lines, ${DEFAULT-VALUE} by default; 10,000 at most.")
                    int lines) {
        return stock.use(store, terminal, (inventory, printer) -> {
            StockKey key = new StockKey(sku, location);
            List<LedgerEntry> found =
                    after == null ? inventory.lastLines(key, lines) : inventory.ledger(key, after, lines);
            if (found.isEmpty() && after == null) {
                printer.error("There is no ledger of " + key + ". Check the spelling.");
                return ExitCode.NOT_AS_IT_SHOULD;
            }
            printer.ledger(found);
            return ExitCode.OK;
        });
    }

    @Command(
            name = "changes",
            description = {
                "Shows the ledgers of all stock as one feed: the lines after a position. Each line has the position from which to"
                        + " continue."
            },
            footer = {
                "",
                "Example:",
                "  lockstep inventory changes --after 1200 --lines 500 --json --store jdbc:postgresql://localhost/shop"
            })
    int changes(
            @Mixin StoreMixin store,
            @Mixin StockMixin stock,
            @Option(
                            names = "--after",
                            paramLabel = "POSITION",
                            defaultValue = "0",
                            description = "The position of the last line that was seen, ${DEFAULT-VALUE} by default.")
                    long after,
            @Option(
                            names = "--lines",
                            paramLabel = "N",
                            defaultValue = "50",
                            description = "How many lines at most, ${DEFAULT-VALUE} by default; 10,000 at most.")
                    int lines) {
        return stock.use(store, terminal, (inventory, printer) -> {
            printer.changes(inventory.changes(after, lines));
            return ExitCode.OK;
        });
    }

    @Command(
            name = "safety",
            description = {
                "Sets how much of a stock is not for sale, and writes a line of the ledger with the reason. Reservations that were"
                        + " made before stay."
            },
            footer = {
                "",
                "Example:",
                "  lockstep inventory safety SHIRT-001 TOKYO --quantity 5 --reason \"for the shop window\" \\",
                "      --store jdbc:postgresql://localhost/shop --user shop"
            })
    int safety(
            @Mixin StoreMixin store,
            @Mixin StockMixin stock,
            @Mixin ReasonMixin reason,
            @Parameters(paramLabel = "SKU", description = "The SKU.") String sku,
            @Parameters(paramLabel = "LOCATION", description = "The location.") String location,
            @Option(
                            names = "--quantity",
                            required = true,
                            paramLabel = "N",
                            description = "How many are not for sale; 0 for none.")
                    long quantity) {
        SetSafetyStock set =
                new SetSafetyStock(new StockKey(sku, location), quantity, reason.text(), reason.requestId("safety"));
        return stock.use(store, terminal, (inventory, printer) -> execute(inventory, set, reason, printer));
    }

    @Command(
            name = "reconcile",
            description = {
                "Compares all stock with its ledger and its open reservations, and says what disagrees and what to do. It changes"
                        + " nothing and locks nothing.",
                "The exit code is 1 if something disagrees. With --json: one line for each discrepancy, and one at the end."
            },
            footer = {
                "",
                "Example:",
                "  lockstep inventory reconcile --store jdbc:postgresql://localhost/shop --user shop"
            })
    int reconcile(@Mixin StoreMixin store, @Mixin StockMixin stock) {
        return stock.use(store, terminal, (inventory, printer) -> {
            ReconciliationReport report = inventory.reconcile(printer::found);
            printer.compared(report);
            return report.isClean() ? ExitCode.OK : ExitCode.NOT_AS_IT_SHOULD;
        });
    }

    @Command(
            name = "repair",
            description = {
                "Corrects the books of one stock that 'reconcile' has found to disagree, and writes a line of its ledger with the"
                        + " reason.",
                "from-ledger: the row becomes what the ledger says. keep-stock: the row is right, and the ledger follows it."
                        + " recount-holds: what counts as reserved becomes what the open reservations hold."
            },
            footer = {
                "",
                "Example:",
                "  lockstep inventory repair SHIRT-001 TOKYO --remedy from-ledger --reason \"changed by hand, ticket 4711\" \\",
                "      --store jdbc:postgresql://localhost/shop --user shop"
            })
    int repair(
            @Mixin StoreMixin store,
            @Mixin StockMixin stock,
            @Mixin ReasonMixin reason,
            @Parameters(paramLabel = "SKU", description = "The SKU.") String sku,
            @Parameters(paramLabel = "LOCATION", description = "The location.") String location,
            @Option(
                            names = "--remedy",
                            required = true,
                            paramLabel = "REMEDY",
                            description = "from-ledger, keep-stock or recount-holds.")
                    String remedy) {
        Repair repair =
                new Repair(new StockKey(sku, location), remedy(remedy), reason.text(), reason.requestId("repair"));
        return stock.use(store, terminal, (inventory, printer) -> execute(inventory, repair, reason, printer));
    }

    @Command(
            name = "adjust",
            description = "Corrects the stock after a count, and writes a line of the ledger with the reason.",
            footer = {
                "",
                "Example:",
                "  lockstep inventory adjust SHIRT-001 TOKYO --by -3 --reason \"counted, 3 are damaged\" \\",
                "      --store jdbc:postgresql://localhost/shop --user shop"
            })
    int adjust(
            @Mixin StoreMixin store,
            @Mixin StockMixin stock,
            @Mixin ReasonMixin reason,
            @Parameters(paramLabel = "SKU", description = "The SKU.") String sku,
            @Parameters(paramLabel = "LOCATION", description = "The location.") String location,
            @Option(
                            names = "--by",
                            required = true,
                            paramLabel = "QUANTITY",
                            description = "How many more there are, or with a minus how many fewer.")
                    long quantity) {
        Adjust adjust = new Adjust(
                new StockLine(new StockKey(sku, location), quantity), reason.text(), reason.requestId("adjust"));
        return stock.use(store, terminal, (inventory, printer) -> execute(inventory, adjust, reason, printer));
    }

    @Command(
            name = "retain",
            description = {
                "Deletes what is older than the retention: old lines of each ledger, which one line replaces, and ended reservations."
                        + " It runs beside sales, in small transactions; after Ctrl-C the same command continues.",
                "A request that a client repeats after that long is done again: keep more days than any client retries."
            },
            footer = {
                "",
                "Example:",
                "  lockstep inventory retain --days 730 --store jdbc:postgresql://localhost/shop --user shop"
            })
    int retain(
            @Mixin StoreMixin store,
            @Mixin StockMixin stock,
            @Option(
                            names = "--days",
                            paramLabel = "N",
                            required = true,
                            description = "How many days to keep, as the application's retention; at least 1.")
                    int days) {
        return stock.use(store, terminal, builder -> builder.retention(Duration.ofDays(days)), (inventory, printer) -> {
            RetentionReport report = inventory.retain(printer::progress);
            printer.deleted(report, days);
            return report.skipped() == 0 ? ExitCode.OK : ExitCode.NOT_AS_IT_SHOULD;
        });
    }

    /** Why a stock is changed, and the id that makes it happen once. */
    static final class ReasonMixin {
        @Option(
                names = "--reason",
                required = true,
                paramLabel = "TEXT",
                description = "Why, in up to 200 characters; the ledger keeps it.")
        private String reason = "";

        @Option(
                names = "--request-id",
                paramLabel = "ID",
                description =
                        "The id of this request, which is done once however often it is sent; a new one by default.")
        private @Nullable String requestId;

        String text() {
            return reason;
        }

        String requestId(String what) {
            return requestId == null ? what + "-" + UUID.randomUUID() : requestId;
        }

        boolean hasNewId() {
            return requestId == null;
        }
    }

    private static Remedy remedy(String text) {
        return switch (text) {
            case "from-ledger" -> Remedy.FROM_LEDGER;
            case "keep-stock" -> Remedy.KEEP_STOCK;
            case "recount-holds" -> Remedy.RECOUNT_HOLDS;
            default ->
                throw new InvalidRequestException(
                        "--remedy must be from-ledger, keep-stock or recount-holds, but was '" + text + "'.");
        };
    }

    /** An operator who loses the terminal before the outcome has the id to repeat the command with. */
    private static ExitCode execute(
            Inventory inventory, dev.lockstep.inventory.Command command, ReasonMixin reason, InventoryPrinter printer) {
        if (reason.hasNewId()) {
            printer.begins(command);
        }
        return report(inventory.execute(command), printer);
    }

    private static ExitCode report(Outcome outcome, InventoryPrinter printer) {
        printer.outcome(outcome);
        if (outcome instanceof Accepted) {
            return ExitCode.OK;
        }
        if (outcome instanceof Rejected rejected) {
            return switch (rejected.why()) {
                case INVALID_QUANTITY, INVALID_TEXT, REQUEST_ID_REUSED -> ExitCode.USAGE;
                default -> ExitCode.NOT_AS_IT_SHOULD;
            };
        }
        if (outcome instanceof OutOfStock) {
            return ExitCode.NOT_AS_IT_SHOULD;
        }
        boolean unreachable = outcome instanceof Unknown || (outcome instanceof Failed failed && failed.retryable());
        return unreachable ? ExitCode.UNREACHABLE : ExitCode.REFUSED;
    }
}
