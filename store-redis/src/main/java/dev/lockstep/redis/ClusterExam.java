package dev.lockstep.redis;

import dev.lockstep.core.Finding;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * Finds the masters of a cluster.
 *
 * @param masters each with a partition of the namespace that it keeps
 */
record ClusterExam(List<Finding> findings, Map<RedisURI, PartitionKeys> masters) {
    private static final int SLOTS = 16_384;

    /** Asks one node after the other, until one tells. */
    static ClusterExam examine(List<RedisURI> nodes, Namespace namespace, Duration answerWithin) {
        List<Finding> silent = new ArrayList<>();
        for (RedisURI node : nodes) {
            try (Visit visit = new Visit(node, namespace, namespace.keys(0), answerWithin)) {
                List<SlotRange> ranges = SlotRange.readAll(visit.commands().clusterSlots(), node);
                return new ClusterExam(List.of(coverage(ranges)), masters(ranges, namespace));
            } catch (RuntimeException e) {
                silent.add(NoAnswer.finding(Visit.address(node), answerWithin, e));
            }
        }
        return new ClusterExam(silent, Map.of());
    }

    private static Finding coverage(List<SlotRange> ranges) {
        int covered = ranges.stream().mapToInt(SlotRange::size).sum();
        return covered == SLOTS
                ? Finding.ok("The cluster has a master for every slot.")
                : Finding.error(
                        "The cluster has no master for " + (SLOTS - covered) + " of its " + SLOTS + " slots.",
                        "Assign them, with redis-cli --cluster fix; locks that belong there can't be had.");
    }

    private static Map<RedisURI, PartitionKeys> masters(List<SlotRange> ranges, Namespace namespace) {
        Map<RedisURI, PartitionKeys> masters = new LinkedHashMap<>();
        for (SlotRange range : ranges) {
            IntStream.range(0, SLOTS)
                    .mapToObj(namespace::keys)
                    .filter(keys -> range.has(keys.slot()))
                    .findFirst()
                    .ifPresent(keys -> masters.putIfAbsent(range.master(), keys));
        }
        return masters;
    }
}
