package dev.lockstep.core.engine;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.ObservedOrder;
import dev.lockstep.core.spi.LockPlan;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Records which kinds are requested while which are held. Only nested requests come here. A pair that is known costs a look-up; the stack is walked for
 * the first few requests of each pair.
 */
final class OrderRecorder {
    private static final int MOST_PAIRS = 1_000;
    private static final int MOST_PLACES = 4;
    private static final int MOST_WALKS = 16;

    private record KindPair(String held, int heldRank, String requested, int requestedRank) {}

    private static final class Seen {
        final AtomicInteger walks = new AtomicInteger();
        final List<ObservedOrder.Place> places = new CopyOnWriteArrayList<>();
    }

    private final Map<KindPair, Seen> pairs = new ConcurrentHashMap<>();
    private volatile boolean overflowed;

    /** A request was admitted, while that is held. Called without a lock. */
    void nested(LockPlan requested, List<StoreLease> held) {
        for (int i = 0; i < requested.size(); i++) {
            if (!requested.mode(i).isIntent()) {
                LockKind kind = requested.key(i).kind();
                for (StoreLease lease : held) {
                    under(lease, kind);
                }
            }
        }
    }

    private void under(StoreLease lease, LockKind requested) {
        LockPlan plan = lease.plan();
        for (int i = 0; i < plan.size(); i++) {
            if (!plan.mode(i).isIntent()) {
                LockKind held = plan.key(i).kind();
                Seen seen = seen(new KindPair(held.prefix(), held.rank(), requested.prefix(), requested.rank()));
                if (seen != null && seen.walks.get() < MOST_WALKS && seen.walks.incrementAndGet() <= MOST_WALKS) {
                    place(seen, lease);
                }
            }
        }
    }

    private @Nullable Seen seen(KindPair pair) {
        Seen known = pairs.get(pair);
        if (known != null) {
            return known;
        }
        if (pairs.size() >= MOST_PAIRS) {
            overflowed = true;
            return null;
        }
        return pairs.computeIfAbsent(pair, each -> new Seen());
    }

    private static void place(Seen seen, StoreLease lease) {
        Optional<CallSite> here = CallSiteFinder.here();
        if (here.isPresent()) {
            ObservedOrder.Place place = new ObservedOrder.Place(here.get(), lease.callSite());
            if (seen.places.size() < MOST_PLACES && !seen.places.contains(place)) {
                seen.places.add(place);
            }
        }
    }

    ObservedOrder observed() {
        List<ObservedOrder.Pair> all = pairs.entrySet().stream()
                .map(each -> new ObservedOrder.Pair(
                        each.getKey().held(),
                        each.getKey().heldRank(),
                        each.getKey().requested(),
                        each.getKey().requestedRank(),
                        each.getValue().places))
                .sorted(Comparator.comparingInt(ObservedOrder.Pair::heldRank)
                        .thenComparing(ObservedOrder.Pair::held)
                        .thenComparingInt(ObservedOrder.Pair::requestedRank)
                        .thenComparing(ObservedOrder.Pair::requested))
                .toList();
        return new ObservedOrder(all, !overflowed);
    }
}
