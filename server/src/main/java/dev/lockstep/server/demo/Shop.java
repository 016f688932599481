package dev.lockstep.server.demo;

import static dev.lockstep.inventory.StockLine.line;

import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.StockLine;
import java.util.List;

/** A shop that sells a little all the time, and is supplied again before it runs dry. */
final class Shop implements WorkerTask {
    private static final List<String> SKUS = List.of("SHIRT-001", "MUG-002", "POSTER-003");
    private static final List<String> LOCATIONS = List.of("TOKYO", "OSAKA", "SEOUL");
    private static final int SUPPLY = 60;
    private static final int MOST_OF_ONE_SALE = 3;

    private final Inventory inventory;
    private final String run;
    private long requests;

    /** Its request ids begin with the run's, which no other run has. */
    Shop(Inventory inventory, String run) {
        this.inventory = inventory;
        this.run = run;
    }

    @Override
    public void work(DemoContext scene) throws InterruptedException {
        if (requests == 0) {
            open();
        }
        StockLine sale =
                line(any(SKUS, scene), any(LOCATIONS, scene), 1 + scene.chance().nextInt(MOST_OF_ONE_SALE));
        sell(sale, scene);
        scene.pass(100, 300);
    }

    private void open() {
        for (String sku : SKUS) {
            LOCATIONS.forEach(location -> inventory.receive(line(sku, location, SUPPLY), request()));
        }
    }

    private void sell(StockLine sale, DemoContext scene) throws InterruptedException {
        Outcome outcome = inventory.reserve(sale, request());
        if (outcome instanceof Outcome.Reserved reserved) {
            settle(reserved, scene);
        } else if (outcome instanceof Outcome.OutOfStock) {
            inventory.receive(new StockLine(sale.key(), SUPPLY), request());
        }
    }

    /** Most of it is shipped, some is cancelled. */
    private void settle(Outcome.Reserved reserved, DemoContext scene) throws InterruptedException {
        scene.pass(20, 150);
        if (scene.chance().nextInt(6) == 0) {
            inventory.cancel(reserved.id(), request());
        } else {
            inventory.ship(reserved.id(), request());
        }
    }

    private String request() {
        return run + "-" + requests++;
    }

    private static String any(List<String> names, DemoContext scene) {
        return names.get(scene.chance().nextInt(names.size()));
    }
}
