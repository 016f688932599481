package dev.lockstep.examples;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Reserved;
import dev.lockstep.inventory.Strategy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** 200 buyers from three countries want one of 10 shirts, all at once. */
public final class FlashSale {
    private static final int BUYERS = 200;
    private static final int SHIRTS = 10;
    private static final List<Locale> LANGUAGES = List.of(Locale.JAPANESE, Locale.KOREAN, Locale.ENGLISH);

    private FlashSale() {}

    public static void main(String[] args) {
        // tag::inventory-combining
        Inventory inventory = Inventory.builder(ShopDatabase.withTables(args))
                .strategy(Strategy.COMBINING) // the crowd is known beforehand
                .build();
        // end::inventory-combining
        try (inventory) {
            inventory.receive(line("SHIRT-001", "TOKYO", SHIRTS), "delivery-7");
            tell(sell(inventory));
            inventory.stock("SHIRT-001").forEach(stock -> System.out.println(stock.available() + " left"));
        }
    }

    private static List<Outcome> sell(Inventory inventory) {
        List<CompletableFuture<Outcome>> answers = new ArrayList<>();
        for (int buyer = 1; buyer <= BUYERS; buyer++) {
            Order shirt = Order.of(line("SHIRT-001", "TOKYO", 1));
            answers.add(inventory.submit(new Reserve(shirt, "order-" + buyer)));
        }
        return answers.stream().map(CompletableFuture::join).toList();
    }

    private static void tell(List<Outcome> outcomes) {
        Map<String, Integer> refused = new TreeMap<>();
        for (int i = 0; i < outcomes.size(); i++) {
            Outcome outcome = outcomes.get(i);
            String text = outcome.message(LANGUAGES.get(i % LANGUAGES.size()));
            if (outcome instanceof Reserved reserved) {
                System.out.println(reserved.id() + ": " + text);
            } else {
                refused.merge(text, 1, Integer::sum);
            }
        }
        refused.forEach((text, count) -> System.out.println(count + " others: " + text));
    }
}
