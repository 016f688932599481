package dev.lockstep.inventory;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.engine.EngineAccess;
import dev.lockstep.testservers.ChildJvm;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Another process with the same stock: buys for ever into a file, or so many of some SKUs and tells what came of it. */
final class ShopChild {
    /** How many stocks a flood sells. */
    static final int FLOODED = 5;

    /** What is older is deleted: more often than a shop would, so that a process is killed in the middle of it. */
    static final Duration A_MOMENT = Duration.ofMillis(100);

    private static final int BUYERS = 8;
    private final HikariDataSource pool;
    private final ExecutorService buyers = Executors.newFixedThreadPool(BUYERS);

    private ShopChild(HikariDataSource pool) {
        this.pool = pool;
    }

    /** The address, the user and the password of the database. */
    public static void main(String[] args) throws IOException {
        String password = args.length > 2 ? args[2] : "";
        try (HikariDataSource pool = TestPool.to(args[0], args[1], password)) {
            ChildJvm.obey(new ShopChild(pool)::answer);
        }
    }

    static Inventory open(HikariDataSource pool, Strategy strategy) {
        InventoryBuilder builder = TestShop.patient(pool);
        return strategy == Strategy.LOCKED
                ? builder.lockedBy(TestShop.locks()).build()
                : builder.strategy(strategy).build();
    }

    private String answer(String[] words) {
        Strategy strategy = Strategy.valueOf(words[1]);
        return switch (words[0]) {
            case "buy" -> buy(strategy, words[2], Integer.parseInt(words[3]), List.of(words[4].split(",")));
            case "retain" -> retain(strategy, words[2], words[3]);
            case "flood" -> flood(strategy, words[2], words[3]);
            default -> "unknown command " + words[0];
        };
    }

    /** Orders one of each SKU, so many times, by several buyers at once. */
    private String buy(Strategy strategy, String prefix, int times, List<String> skus) {
        Order order = Order.of(
                skus.stream().map(sku -> StockLine.line(sku, "TOKYO", 1)).toList());
        Map<String, Integer> outcomes = new ConcurrentHashMap<>();
        try (Inventory inventory = open(pool, strategy)) {
            List<CompletableFuture<Void>> all = new ArrayList<>();
            for (int i = 0; i < times; i++) {
                String id = prefix + i;
                all.add(CompletableFuture.runAsync(
                        () -> outcomes.merge(name(inventory.reserve(order, id)), 1, Integer::sum), buyers));
            }
            all.forEach(CompletableFuture::join);
        }
        return new TreeMap<>(outcomes).toString();
    }

    private static String name(Outcome outcome) {
        if (outcome instanceof Failed failed) {
            failed.cause().printStackTrace();
        }
        return outcome.getClass().getSimpleName();
    }

    /** The order of a request: of one stock or of two, so that orders cross. */
    static Order floodOrder(String id) {
        int number = Integer.parseInt(id.substring(id.lastIndexOf('-') + 1));
        StockLine one = new StockLine(floodKey(number), 1);
        return number % 3 == 0 ? Order.of(one, new StockLine(floodKey(number + 1), 1)) : Order.of(one);
    }

    /** One of the few stocks that are sold. */
    static StockKey floodKey(int number) {
        return new StockKey("SHIRT-" + number % FLOODED, "TOKYO");
    }

    /** Buys without an end. What is asked, and what was answered, is in the file even if this process is killed. */
    private String flood(Strategy strategy, String prefix, String file) {
        Inventory inventory = open(pool, strategy);
        for (int i = 0; i < BUYERS; i++) {
            String mine = prefix + i + "-";
            buyers.execute(() -> floodOne(inventory, mine, file));
        }
        return "begun";
    }

    /** The same while what is older than a moment is deleted, again and again. */
    private String retain(Strategy strategy, String prefix, String file) {
        Thread thread = new Thread(
                () -> {
                    while (true) {
                        EngineAccess.retain(pool, A_MOMENT);
                    }
                },
                "retention");
        thread.setDaemon(true);
        thread.start();
        return flood(strategy, prefix, file);
    }

    private static void floodOne(Inventory inventory, String prefix, String file) {
        try (FileOutputStream out = new FileOutputStream(file, true)) {
            for (int i = 0; ; i++) {
                String id = prefix + i;
                out.write((id + " asked\n").getBytes(StandardCharsets.UTF_8));
                out.write((id + " " + name(inventory.reserve(floodOrder(id), id)) + "\n")
                        .getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
