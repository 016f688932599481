package dev.lockstep.examples;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Unknown;
import java.util.Optional;
import javax.sql.DataSource;

/** What became of a command whose answer was lost, here because the process that asked is gone. */
public final class AfterARestart {
    private AfterARestart() {}

    public static void main(String[] args) {
        DataSource dataSource = ShopDatabase.withTables(args);
        Command command = new Reserve(Order.of(line("SHIRT-001", "TOKYO", 2)), "order-1");
        try (Inventory before = Inventory.on(dataSource)) {
            before.receive(line("SHIRT-001", "TOKYO", 10), "delivery-7");
            before.execute(command); // and the outcome is lost
        }
        try (Inventory after = Inventory.on(dataSource)) {
            System.out.println(lookUp(after, command) ? "it was done" : "it was not done");
            Outcome outcome = askAgain(after, command);
            System.out.println(outcome.getClass().getSimpleName() + ", once:");
            System.out.println(after.stock("SHIRT-001").get(0));
        }
    }

    private static boolean lookUp(Inventory inventory, Command command) {
        // tag::inventory-outcome-of
        Optional<Accepted> done = inventory.outcomeOf(command); // does nothing itself
        // end::inventory-outcome-of
        return done.isPresent();
    }

    private static Outcome askAgain(Inventory inventory, Command command) {
        // tag::inventory-ask-again
        Outcome outcome = inventory.execute(command);
        if (outcome instanceof Unknown) {
            outcome = inventory.execute(command); // the same request id: done once, whatever became of the first
        }
        // end::inventory-ask-again
        return outcome;
    }
}
