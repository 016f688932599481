package dev.lockstep.redis.connection;

import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.Set;

/** Slots of a cluster that one master has. */
public record SlotRange(int first, int last, RedisURI master) {
    private static final Set<String> UNKNOWN = Set.of("", "?", "null");

    /** Reads what a node answers to {@code CLUSTER SLOTS}: first slot, last slot, and host, port of the master, of each range. */
    public static List<SlotRange> readAll(List<?> ranges, RedisURI asked) {
        return ranges.stream().map(each -> read((List<?>) each, asked)).toList();
    }

    private static SlotRange read(List<?> range, RedisURI asked) {
        List<?> master = (List<?>) range.get(2);
        return new SlotRange(
                number(range.get(0)),
                number(range.get(1)),
                node(asked, String.valueOf(master.get(0)), number(master.get(1))));
    }

    private static int number(Object integer) {
        return Math.toIntExact((Long) integer);
    }

    /** Another node of the cluster, for the same user. A node that doesn't know its own host leaves it out. */
    public static RedisURI node(RedisURI known, String host, int port) {
        String there = UNKNOWN.contains(host) ? known.getHost() : host;
        return RedisAddresses.copyOf(known).withHost(there).withPort(port).build();
    }

    public boolean has(int slot) {
        return first <= slot && slot <= last;
    }

    public int size() {
        return last - first + 1;
    }
}
