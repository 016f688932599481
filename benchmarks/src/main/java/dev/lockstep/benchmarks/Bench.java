package dev.lockstep.benchmarks;

import dev.lockstep.benchmarks.compile.CompileRun;
import dev.lockstep.benchmarks.databases.DatabaseRuns;
import dev.lockstep.benchmarks.inventory.InventoryRun;
import dev.lockstep.benchmarks.leases.LeasesRun;
import dev.lockstep.benchmarks.measure.UsageException;
import dev.lockstep.benchmarks.memory.SideBySide;
import dev.lockstep.benchmarks.memory.ViewsRun;
import dev.lockstep.benchmarks.provisioning.ProvisionRun;
import dev.lockstep.benchmarks.redis.ClusterRun;
import dev.lockstep.benchmarks.redis.RedisRun;
import dev.lockstep.benchmarks.server.ServerRun;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** What {@code ./lockstep bench} runs. */
public final class Bench {
    private Bench() {}

    /** Without arguments the run in memory; else the run of that name, or plain JMH. */
    public static void main(String[] args) throws Exception {
        // Ticks are no ASCII, and a JVM may think that the terminal is.
        System.setOut(new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8));
        try {
            run(List.of(args));
        } catch (UsageException e) {
            System.err.println("error: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void run(List<String> args) throws Exception {
        String name = args.isEmpty() ? "" : args.get(0);
        List<String> rest = args.isEmpty() ? args : args.subList(1, args.size());
        switch (name) {
            case "" -> SideBySide.run();
            case "databases" -> DatabaseRuns.run(rest);
            case "provision" -> ProvisionRun.run(rest);
            case "redis" -> RedisRun.run(rest);
            case "inventory" -> InventoryRun.run(rest);
            case "server" -> ServerRun.run(rest);
            case "leases" -> LeasesRun.run(rest);
            case "compile" -> CompileRun.run(rest);
            case "views" -> ViewsRun.run();
            case "cluster" -> ClusterRun.run(rest);
            default -> jmh(name, args);
        }
    }

    private static void jmh(String name, List<String> args) throws Exception {
        if (!name.startsWith("-") && !name.contains("Benchmark")) {
            throw new UsageException("unknown run '" + name
                    + "'. Known: databases, provision, redis, inventory, server, leases, compile, views, cluster");
        }
        org.openjdk.jmh.Main.main(args.toArray(String[]::new));
    }
}
