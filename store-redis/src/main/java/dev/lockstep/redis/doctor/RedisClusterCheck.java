package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Finding;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.connection.PartitionKeys;
import dev.lockstep.redis.connection.RedisAddresses;
import dev.lockstep.redis.connection.SlotRange;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
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
public record RedisClusterCheck(List<Finding> findings, Map<RedisURI, PartitionKeys> masters) {
    private static final int SLOTS = 16_384;

    /** Asks one node after the other, until one responds. */
    public static RedisClusterCheck examine(
            List<RedisURI> nodes, Namespace namespace, Duration answerWithin, SslOptions tls) {
        List<Finding> silent = new ArrayList<>();
        for (RedisURI node : nodes) {
            try (DoctorSession visit = new DoctorSession(node, namespace, namespace.keys(0), answerWithin, tls)) {
                List<SlotRange> ranges = SlotRange.readAll(visit.commands().clusterSlots(), node);
                return new RedisClusterCheck(List.of(coverage(ranges)), masters(ranges, namespace));
            } catch (RuntimeException e) {
                silent.add(ConnectionFailure.finding(RedisAddresses.text(node), answerWithin, e));
            }
        }
        return new RedisClusterCheck(silent, Map.of());
    }

    private static Finding coverage(List<SlotRange> ranges) {
        int covered = ranges.stream().mapToInt(SlotRange::size).sum();
        return covered == SLOTS
                ? Finding.ok("The cluster has a master for every slot.")
                : Finding.error(
                        "The cluster has no master for " + (SLOTS - covered) + " of its " + SLOTS + " slots.",
                        "Assign them, with redis-cli --cluster fix; locks that belong there are unavailable.");
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
