package dev.lockstep.redis;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Releases that did not reach their servers. Requests that still wait there are withdrawn later, since the heartbeats of this process would keep the place of a request that
 * is no longer wanted.
 */
final class UndeliveredReleases {
    /** About this many are kept. The others expire once no request of this process waits any more. */
    private static final int MOST = 10_000;

    private static final int AT_A_TIME = 500;

    private final Map<String, List<Slice>> leases = new ConcurrentHashMap<>();

    void add(List<Slice> slices) {
        if (leases.size() < MOST) {
            leases.put(slices.get(0).id(), slices);
        }
    }

    /** For a lease that is asked for again. */
    void forget(String lease) {
        leases.remove(lease);
    }

    /** Some at a time: a server that was unreachable needs no burst. */
    List<List<Slice>> takeSome() {
        List<List<Slice>> taken = new ArrayList<>();
        leases.keySet().stream().limit(AT_A_TIME).toList().forEach(lease -> {
            List<Slice> slices = leases.remove(lease);
            if (slices != null) {
                taken.add(slices);
            }
        });
        return taken;
    }
}
