package dev.lockstep.examples;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Reserved;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Commands without a waiting thread. */
public final class AsyncInventory {
    private AsyncInventory() {}

    public static void main(String[] args) {
        ExecutorService pages = Executors.newFixedThreadPool(2);
        try (Inventory inventory = Inventory.on(ShopDatabase.withTables(args))) {
            inventory.receive(line("SHIRT-001", "TOKYO", 10), "delivery-7");
            reserve(inventory, pages).join();
            Outcome outcome =
                    inventory.submit(new Cancel("order-1", "cancel-1")).join();
            System.out.println(outcome.getClass().getSimpleName());
        } finally {
            pages.shutdown();
        }
    }

    private static CompletableFuture<Void> reserve(Inventory inventory, Executor pages) {
        // tag::inventory-async
        Command command = new Reserve(Order.of(line("SHIRT-001", "TOKYO", 2)), "order-1");
        return inventory.submit(command).thenAcceptAsync(outcome -> show(outcome), pages); // never fails
        // end::inventory-async
    }

    private static void show(Outcome outcome) {
        System.out.println(outcome instanceof Reserved reserved ? "reserved " + reserved.id() : "not reserved");
    }
}
