package dev.lockstep.redis;

import dev.lockstep.redis.connection.SlotRange;
import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Which node has which slot, for the slots that are used. */
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

    Set<RedisURI> owners() {
        return Set.copyOf(owners.values());
    }

    void moved(int slot, RedisURI owner) {
        owners.put(slot, owner);
    }

    /** Returns whether these are all that are used. */
    boolean learn(List<SlotRange> ranges) {
        ranges.forEach(range -> used.stream().filter(range::has).forEach(slot -> moved(slot, range.master())));
        return used.stream().allMatch(slot -> ranges.stream().anyMatch(range -> range.has(slot)));
    }
}
