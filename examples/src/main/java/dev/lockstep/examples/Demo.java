package dev.lockstep.examples;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What {@code ./lockstep demo} runs: six short scenes or, with the name of an example, that example. */
public final class Demo {
    /** The {@code main} method of an example. */
    @FunctionalInterface
    interface Example {
        void run(String[] args) throws Exception;
    }

    /** Every example, by the name that {@code ./lockstep demo} knows it by. */
    static final Map<String, Example> EXAMPLES = new TreeMap<>(Map.ofEntries(
            Map.entry("GettingStarted", GettingStarted::main),
            Map.entry("QuickStart", QuickStart::main),
            Map.entry("HierarchicalLocks", HierarchicalLocks::main),
            Map.entry("OrderedLocks", OrderedLocks::main),
            Map.entry("TryAndBusy", TryAndBusy::main),
            Map.entry("NestedLocks", NestedLocks::main),
            Map.entry("LostLease", LostLease::main),
            Map.entry("AsyncLocks", AsyncLocks::main),
            Map.entry("WhoHoldsWhat", WhoHoldsWhat::main),
            Map.entry("ListenToEvents", ListenToEvents::main),
            Map.entry("DatabaseLocks", DatabaseLocks::main),
            Map.entry("RedisLocks", RedisLocks::main),
            Map.entry("FencedWrite", FencedWrite::main),
            Map.entry("LocksInYourTransaction", LocksInYourTransaction::main),
            Map.entry("InventoryQuickStart", InventoryQuickStart::main),
            Map.entry("FlashSale", FlashSale::main),
            Map.entry("Checkout", Checkout::main),
            Map.entry("AsyncInventory", AsyncInventory::main),
            Map.entry("AfterARestart", AfterARestart::main),
            Map.entry("InventoryStrategies", InventoryStrategies::main),
            Map.entry("InventoryAlerts", InventoryAlerts::main),
            Map.entry("ReconcileAndRepair", ReconcileAndRepair::main),
            Map.entry("SearchIndex", SearchIndex::main),
            Map.entry("LeaderElection", LeaderElection::main),
            Map.entry("PrinterPermits", PrinterPermits::main),
            Map.entry("OncePerCluster", OncePerCluster::main),
            Map.entry("ProjectLocks", ProjectLocks::main),
            Map.entry("Autosave", Autosave::main)));

    private Demo() {}

    public static void main(String[] args) throws Exception {
        if (args.length == 0) {
            // The scenes show what the log would say.
            System.setProperty("logback.configurationFile", "logback-demo.xml");
            play(new DemoScreen(System.out), Duration.ofMillis(700));
            return;
        }
        Example example = EXAMPLES.get(args[0]);
        if (example == null) {
            System.err.println("There is no example '" + args[0] + "'. There are: " + String.join(", ", names()));
            System.exit(2);
            return;
        }
        example.run(Arrays.copyOfRange(args, 1, args.length));
    }

    private static List<String> names() {
        return List.copyOf(EXAMPLES.keySet());
    }

    static void play(DemoScreen screen, Duration pause) {
        screen.text("Lockstep takes locks in one order, and shows who holds what. Six scenes:");
        DemoScenes scenes = new DemoScenes(screen);
        for (Runnable scene : List.<Runnable>of(
                scenes::hierarchy,
                scenes::oneOrder,
                scenes::violation,
                scenes::deadlock,
                scenes::lostLease,
                scenes::whoHoldsWhat)) {
            scene.run();
            Backstage.pause(pause);
        }
        screen.text("");
        screen.text("One example at a time: ./lockstep demo NAME, with one of " + String.join(", ", names()) + ".");
    }
}
