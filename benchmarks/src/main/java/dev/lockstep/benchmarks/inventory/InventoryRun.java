package dev.lockstep.benchmarks.inventory;

import dev.lockstep.benchmarks.measure.BenchOptions;
import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.ShopServer;
import dev.lockstep.benchmarks.measure.UsageException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code ./lockstep bench inventory}: all ways to reserve in turns, on one database after the other.
 *
 * @param clients how many there are, one number after the other; nothing for each part's own numbers
 * @param turn how long each turn is
 * @param rounds how many turns each way has
 * @param skus how many are sold once to see what they leave in the heap
 * @param images where pictures go
 */
public record InventoryRun(
        Set<ShopServer> servers,
        Set<InventoryPart> parts,
        Optional<List<Integer>> clients,
        Duration turn,
        int rounds,
        int skus,
        Path images) {
    private static final String SECONDS = "--seconds";
    private static final String ROUNDS = "--rounds";
    private static final String SKUS = "--skus";
    private static final String CLIENTS = "--clients";
    private static final String IMAGES = "--images";
    private static final int MOST_CLIENTS = 2_000;

    public static void run(List<String> args) throws Exception {
        parse(args).run(System.out);
    }

    public static InventoryRun parse(List<String> args) {
        Map<String, Integer> numbers = new LinkedHashMap<>();
        numbers.put(SECONDS, 4);
        numbers.put(ROUNDS, 5);
        numbers.put(SKUS, 100_000);
        Map<String, String> words = new LinkedHashMap<>();
        words.put(CLIENTS, "");
        words.put(IMAGES, "target");
        BenchOptions options = BenchOptions.parse(args, numbers, words);
        Set<ShopServer> servers = EnumSet.noneOf(ShopServer.class);
        Set<InventoryPart> parts = EnumSet.noneOf(InventoryPart.class);
        for (String name : options.names()) {
            ShopServer.named(name).ifPresent(servers::add);
            InventoryPart.named(name).ifPresent(parts::add);
            check(name);
        }
        return new InventoryRun(
                servers.isEmpty() ? EnumSet.allOf(ShopServer.class) : servers,
                parts.isEmpty() ? EnumSet.complementOf(EnumSet.of(InventoryPart.PROFILE)) : parts,
                options.text(CLIENTS).isEmpty() ? Optional.empty() : Optional.of(clients(options.list(CLIENTS))),
                Duration.ofSeconds(options.number(SECONDS)),
                options.number(ROUNDS),
                options.number(SKUS),
                Path.of(options.text(IMAGES)));
    }

    private static void check(String name) {
        if (ShopServer.named(name).isEmpty() && InventoryPart.named(name).isEmpty()) {
            throw new UsageException("unknown database or part '" + name + "'. Known: "
                    + Stream.concat(Stream.of(ShopServer.values()), Stream.of(InventoryPart.values()))
                            .map(Object::toString)
                            .collect(Collectors.joining(", ")));
        }
    }

    private static List<Integer> clients(List<Integer> counts) {
        counts.stream().filter(count -> count > MOST_CLIENTS).findAny().ifPresent(count -> {
            throw new UsageException(CLIENTS + " is at most " + MOST_CLIENTS + ", and got " + count);
        });
        return counts.stream().distinct().sorted().toList();
    }

    public List<Comparison> run(PrintStream out) throws Exception {
        List<Comparison> comparisons = new ArrayList<>();
        for (ShopServer server : servers) {
            try (SaleServer shop = SaleServer.open(server)) {
                comparisons.addAll(new ShopRun(this, shop, out).run());
            }
        }
        return comparisons;
    }

    public List<Integer> clientsOr(Integer... usual) {
        return clients.orElse(List.of(usual));
    }
}
