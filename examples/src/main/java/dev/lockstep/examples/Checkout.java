package dev.lockstep.examples;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Outcome.Shipped;
import dev.lockstep.inventory.Rejection;
import java.time.Duration;
import java.util.Locale;

/** An order is reserved, paid for while nothing is locked, and then shipped, or released. */
public final class Checkout {
    private static final Order CART = Order.of(line("SHIRT-001", "TOKYO", 2), line("SOCKS-007", "TOKYO", 1));

    private final Inventory inventory;
    private final Payment payment;

    Checkout(Inventory inventory, Payment payment) {
        this.inventory = inventory;
        this.payment = payment;
    }

    public static void main(String[] args) {
        try (Inventory inventory = Inventory.on(ShopDatabase.withTables(args))) {
            inventory.receive(line("SHIRT-001", "TOKYO", 3), "delivery-7");
            inventory.receive(line("SOCKS-007", "TOKYO", 5), "delivery-8");
            Duration aWhile = Duration.ofMinutes(15);
            Checkout checkout = new Checkout(inventory, new Payment());
            System.out.println("order-1: " + checkout.buy("order-1", CART, aWhile));
            System.out.println("order-2: " + checkout.buy("order-2", CART, aWhile));
            inventory.receive(line("SHIRT-001", "TOKYO", 2), "delivery-9");
            System.out.println("no-money: " + checkout.buy("no-money", CART, aWhile));
            System.out.println("too-slow: " + checkout.buy("too-slow", CART, Duration.ofMillis(100)));
            inventory.expireDue(); // it happens by itself, too: each second
            inventory.stock("SHIRT-001").forEach(stock -> System.out.println(stock.available() + " shirts left"));
        }
    }

    // tag::inventory-checkout
    String buy(String orderId, Order cart, Duration toPay) {
        Outcome outcome = inventory.reserve(cart.heldFor(toPay), orderId);
        if (!(outcome instanceof Reserved)) {
            return outcome.message(Locale.ENGLISH); // all lines are reserved, or none
        }
        if (!payment.charge(orderId)) { // may take its time: no transaction is open, no row is locked
            inventory.cancel(orderId, orderId + "/cancel"); // if this is lost, the hold expires
            return "Your card was refused.";
        }
        return ship(orderId);
    }

    private String ship(String orderId) {
        Outcome outcome = inventory.ship(orderId, orderId + "/ship");
        if (outcome instanceof Shipped) {
            return outcome.message(Locale.ENGLISH);
        }
        if (outcome instanceof Rejected late && late.why() == Rejection.EXPIRED) { // others may have bought it since
            payment.refund(orderId);
            return outcome.message(Locale.ENGLISH);
        }
        return askAgainLater(orderId); // busy or unknown: the same request id does it once
    }
    // end::inventory-checkout

    private String askAgainLater(String orderId) {
        Outcome outcome = inventory.ship(orderId, orderId + "/ship");
        return outcome instanceof Accepted ? outcome.message(Locale.ENGLISH) : "We'll write to you.";
    }

    /** What takes the customers' money. */
    private static final class Payment {
        private boolean charge(String orderId) {
            if (orderId.equals("too-slow")) {
                Backstage.pause(Duration.ofMillis(300));
            }
            return !orderId.equals("no-money");
        }

        private void refund(String orderId) {
            System.out.println("the money of " + orderId + " goes back");
        }
    }
}
