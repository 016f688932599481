package dev.lockstep.redis;

import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which node has which slot, as far as it was asked for. */
final class SlotTable {
    private final Map<Integer, RedisURI> owners = new ConcurrentHashMap<>();
    private final List<Integer> used;

    SlotTable(List<Integer> used) {
        this.used = used;
    }

    @Nullable
    RedisURI ownerOf(int slot) {
        return owners.get(slot);
    }

    void moved(int slot, RedisURI owner) {
        owners.put(slot, owner);
    }

    /** Takes over what a node answers to {@code CLUSTER SLOTS}: first slot, last slot, and host, port of the master, of each range. */
    void read(List<?> ranges, RedisURI asked) {
        for (Object each : ranges) {
            List<?> range = (List<?>) each;
            List<?> master = (List<?>) range.get(2);
            long first = (Long) range.get(0);
            long last = (Long) range.get(1);
            RedisURI owner = node(asked, String.valueOf(master.get(0)), Math.toIntExact((Long) master.get(1)));
            used.stream().filter(slot -> first <= slot && slot <= last).forEach(slot -> moved(slot, owner));
        }
    }

    /** Another node of the cluster, for the same user. A node that doesn't know its own host leaves it out. */
    static RedisURI node(RedisURI known, String host, int port) {
        String there = host.isEmpty() || "null".equals(host) ? known.getHost() : host;
        return RedisURI.builder(known).withHost(there).withPort(port).build();
    }
}
