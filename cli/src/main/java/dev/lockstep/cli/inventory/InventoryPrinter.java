package dev.lockstep.cli.inventory;

import dev.lockstep.cli.terminal.Json;
import dev.lockstep.cli.terminal.Mark;
import dev.lockstep.cli.terminal.Table;
import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.HoldState;
import dev.lockstep.inventory.LedgerChange;
import dev.lockstep.inventory.LedgerEntry;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.ReconciliationReport;
import dev.lockstep.inventory.Reservation;
import dev.lockstep.inventory.RetentionReport;
import dev.lockstep.inventory.Stock;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Prints what operators see of an inventory, as tables or as JSON. */
public final class InventoryPrinter {
    private final Terminal terminal;
    private final boolean json;

    /** On this terminal, as JSON or for people. */
    public InventoryPrinter(Terminal terminal, boolean json) {
        this.terminal = terminal;
        this.json = json;
    }

    /** How much there is at each location. */
    public void stock(Collection<Stock> stocks) {
        if (json) {
            out(stocks.stream().map(InventoryJson.Level::of).toList());
            return;
        }
        Table table = new Table("LOCATION~", "IN STOCK", "RESERVED", "AVAILABLE", "VERSION");
        for (Stock stock : stocks) {
            table.add(
                    stock.key().location(),
                    number(stock.physical()),
                    number(stock.allocated()),
                    number(stock.available()),
                    number(stock.version()));
        }
        print(table);
    }

    /** A reservation and its lines. */
    public void reservation(Reservation reservation) {
        if (json) {
            out(InventoryJson.Held.of(reservation));
            return;
        }
        terminal.out()
                .println(reservation.id() + ": " + reservation.state()
                        + reservation
                                .expiresAt()
                                .map(at -> ", expires at " + at)
                                .orElse(reservation.state() == HoldState.HELD ? ", does not expire" : ""));
        Table table = new Table("SKU~", "LOCATION~", "QUANTITY");
        reservation
                .lines()
                .forEach(line -> table.add(line.key().sku(), line.key().location(), number(line.quantity())));
        print(table);
    }

    /** Lines of a ledger. */
    public void ledger(List<LedgerEntry> lines) {
        if (json) {
            out(lines.stream().map(InventoryJson.Entry::of).toList());
            return;
        }
        Table table = new Table("NUMBER", "AT", "TYPE", "STOCK", "RESERVED", "LEFT", "REQUEST~", "NOTE~");
        for (LedgerEntry line : lines) {
            Change change = line.change();
            table.add(
                    Long.toString(change.after().version()),
                    line.at().toString(),
                    line.type().name(),
                    signed(change.physical()),
                    signed(change.allocated()),
                    number(change.after().physical()) + "/"
                            + number(change.after().allocated()),
                    line.requestId(),
                    line.note().orElse(""));
        }
        print(table);
    }

    /** Lines of the feed. */
    public void changes(List<LedgerChange> lines) {
        if (json) {
            out(lines.stream().map(InventoryJson.Changed::of).toList());
            return;
        }
        Table table = new Table("POSITION", "SKU~", "LOCATION~", "TYPE", "STOCK", "RESERVED", "LEFT", "REQUEST~");
        for (LedgerChange line : lines) {
            Change change = line.entry().change();
            table.add(
                    Long.toString(line.position()),
                    change.key().sku(),
                    change.key().location(),
                    line.entry().type().name(),
                    signed(change.physical()),
                    signed(change.allocated()),
                    number(change.after().physical()) + "/"
                            + number(change.after().allocated()),
                    line.entry().requestId());
        }
        print(table);
    }

    /** Something in the books that doesn't fit. */
    public void found(Discrepancy found) {
        if (json) {
            terminal.out().println(Json.line(InventoryJson.Found.of(found)));
        } else {
            terminal.entry(Mark.BAD, found.what(), Advice.of(found));
        }
    }

    /** The end of a reconciliation. */
    public void compared(ReconciliationReport report) {
        if (json) {
            terminal.out().println(Json.line(InventoryJson.Compared.of(report)));
            return;
        }
        String what = report.isClean() ? "nothing disagrees." : number(report.discrepancies()) + " discrepancies.";
        terminal.entry(
                report.isClean() ? Mark.GOOD : Mark.BAD,
                number(report.stocks()) + " stocks compared in " + report.took().toMillis() + " ms: " + what,
                "");
    }

    /** How far a retention is. */
    public void progress(RetentionReport report) {
        terminal.err().println(deleted(report));
    }

    /** The end of a retention. */
    public void deleted(RetentionReport report, int days) {
        if (json) {
            out(InventoryJson.Deleted.of(report));
            return;
        }
        terminal.entry(
                report.skipped() == 0 ? Mark.GOOD : Mark.DOUBTFUL,
                "Older than " + days + " days: " + deleted(report) + ".",
                report.skipped() == 0
                        ? ""
                        : number(report.skipped())
                                + " stocks kept their old lines because these don't add up. Run 'lockstep inventory reconcile', and"
                                + " repair them.");
    }

    private static String deleted(RetentionReport report) {
        return number(report.ledgerLines()) + " ledger lines and " + number(report.reservations())
                + " reservation lines deleted; " + number(report.stocks()) + " stocks checked in "
                + report.took().toMillis() + " ms";
    }

    /** A change begins; before it has an outcome, its request id is known. */
    public void begins(Command command) {
        terminal.err()
                .println("The request id is " + command.requestId()
                        + ". If there is no outcome, run the same command with" + " --request-id " + command.requestId()
                        + ": it is done once.");
    }

    /** What became of a change; what is wrong goes to the errors. */
    public void outcome(Outcome outcome) {
        if (json) {
            out(InventoryJson.Result.of(outcome));
        } else if (outcome instanceof Accepted accepted) {
            for (Change change : accepted.changes()) {
                Stock after = change.after();
                terminal.entry(
                        Mark.GOOD,
                        after.key() + " now has " + number(after.physical()) + " in stock and "
                                + number(after.allocated()) + " reserved (version " + after.version() + ").",
                        "The request id is " + outcome.requestId() + ".");
            }
        } else {
            error(OutcomeText.of(outcome));
        }
    }

    /** What isn't there, or wasn't done. */
    public void error(String text) {
        terminal.err().println(terminal.forErrors().red("error: ") + text);
    }

    private void out(Object value) {
        terminal.out().println(Json.of(value));
    }

    private void print(Table table) {
        table.lines(terminal).forEach(terminal.out()::println);
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String signed(long number) {
        return number > 0 ? "+" + number(number) : number(number);
    }
}
