package dev.lockstep.benchmarks.memory;

import dev.lockstep.benchmarks.measure.HeapCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs Lockstep and its peers in memory in turns, several rounds, and prints the medians and their ratios. */
public final class SideBySide {
    private static final int ROUNDS = 3;

    private SideBySide() {}

    private record Comparison(String title, Class<?> benchmark, int threads, String peer, double wanted) {}

    public static void run() throws RunnerException {
        List<Comparison> comparisons = List.of(
                new Comparison("3 levels, 1 thread, Guava Striped", HierarchyBenchmark.class, 1, "striped", 0.6),
                new Comparison("3 levels, 1 thread, map of locks", HierarchyBenchmark.class, 1, "map", 2),
                new Comparison("3 levels, 2 threads, Guava Striped", HierarchyBenchmark.class, 2, "striped", 0.6),
                new Comparison("3 levels, 2 threads, map of locks", HierarchyBenchmark.class, 2, "map", 2),
                new Comparison("1 key, 8 threads, fair ReentrantLock", ContendedBenchmark.class, 8, "fairLock", 0.7));
        System.out.printf(
                "JDK %s, %d processors, heap of 1 GiB, %d rounds in turns, medians, operations/s%n%n",
                Runtime.version(), Runtime.getRuntime().availableProcessors(), ROUNDS);
        System.out.println("| what | Lockstep | peer | ratio | wanted |");
        System.out.println("|---|---:|---:|---:|---:|");
        for (Comparison comparison : comparisons) {
            compare(comparison);
        }
        System.out.println();
        HeapCheck.run();
    }

    private static void compare(Comparison comparison) throws RunnerException {
        List<Double> ours = new ArrayList<>();
        List<Double> theirs = new ArrayList<>();
        List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            double our = measure(comparison, "lockstep");
            double their = measure(comparison, comparison.peer);
            ours.add(our);
            theirs.add(their);
            ratios.add(our / their);
            System.err.printf("  %s, round %d of %d: %.2f%n", comparison.title, round + 1, ROUNDS, our / their);
        }
        System.out.printf(
                "| %s | %,.0f | %,.0f | %.2f | %.1f |%n",
                comparison.title, median(ours), median(theirs), median(ratios), comparison.wanted);
    }

    private static double measure(Comparison comparison, String method) throws RunnerException {
        return new Runner(new OptionsBuilder()
                        .include(comparison.benchmark.getName() + "\\." + method + "$")
                        .threads(comparison.threads)
                        .forks(1)
                        .jvmArgs("-Xms1g", "-Xmx1g")
                        .warmupIterations(3)
                        .warmupTime(TimeValue.seconds(1))
                        .measurementIterations(3)
                        .measurementTime(TimeValue.seconds(1))
                        .verbosity(VerboseMode.SILENT)
                        .build())
                .runSingle()
                .getPrimaryResult()
                .getScore();
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        return Arrays.stream(sorted).skip(sorted.length / 2).findFirst().orElseThrow();
    }
}
