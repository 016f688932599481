package dev.lockstep.redis;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.connection.PartitionKeys;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.zip.CRC32;

/** How the locks of a namespace are spread: by the root of their keys, so that a thing is where everything above it is. */
final class Partitions {
    /** The greatest token that this process has seen, in whichever partition. */
    private final AtomicLong greatest = new AtomicLong();

    private final List<Partition> all;
    private final boolean cluster;

    private Partitions(Namespace namespace, List<PartitionKeys> keys, String count, Duration longestTerm) {
        cluster = !count.isEmpty();
        all = keys.stream()
                .map(each ->
                        new Partition(each, new NamespaceGeneration(namespace, each, longestTerm, count, greatest)))
                .toList();
    }

    /** All locks together, for a single server. */
    static Partitions one(Namespace namespace, Duration longestTerm) {
        return new Partitions(namespace, List.of(namespace.keys()), "", longestTerm);
    }

    static Partitions spread(Namespace namespace, int count, Duration longestTerm) {
        List<PartitionKeys> keys =
                IntStream.range(0, count).mapToObj(namespace::keys).toList();
        return new Partitions(namespace, keys, Integer.toString(count), longestTerm);
    }

    List<Partition> all() {
        return all;
    }

    /** Whether they are those of a cluster, which may have more than one. */
    boolean isCluster() {
        return cluster;
    }

    boolean isOne() {
        return all.size() == 1;
    }

    void requireWithinLongest(Duration term) {
        all.get(0).generation().requireWithinLongest(term);
    }

    /** Cuts a plan into runs of locks of one partition each. Their order stays, so a partition may occur several times. */
    List<Slice> cut(String lease, LockPlan plan) {
        if (isOne()) {
            return List.of(new Slice(lease, all.get(0), plan));
        }
        List<Slice> slices = new ArrayList<>();
        List<PlannedLock> run = new ArrayList<>();
        Partition partition = of(plan.root(0));
        for (int i = 0; i < plan.size(); i++) {
            Partition here = i > 0 && plan.root(i).equals(plan.root(i - 1)) ? partition : of(plan.root(i));
            if (!here.equals(partition)) {
                slices.add(new Slice(Slice.id(lease, slices.size()), partition, LockPlan.of(run)));
                run.clear();
                partition = here;
            }
            run.add(new PlannedLock(plan.key(i), plan.mode(i)));
        }
        slices.add(new Slice(Slice.id(lease, slices.size()), partition, LockPlan.of(run)));
        return List.copyOf(slices);
    }

    /** The same in every process and every version: not a hash code of Java's. */
    Partition of(LockKey root) {
        CRC32 hash = new CRC32();
        hash.update(root.toString().getBytes(StandardCharsets.UTF_8));
        return all.get((int) (hash.getValue() % all.size()));
    }
}
