package dev.lockstep.core.engine;

import dev.lockstep.core.spi.StoreGrant;
import java.util.ArrayList;
import java.util.List;

/** How a lease depends on others of its holder, in both directions. Changes under the lock of the holder's stripe. */
final class Nesting {
    private final List<StoreLease> covering;
    private final List<StoreGrant> grantsAtRequest;
    private final List<LeaseHandle> nested = new ArrayList<>(0);
    private List<StoreLease> toRelease = List.of();

    private Nesting(List<StoreLease> covering, List<StoreGrant> grantsAtRequest) {
        this.covering = covering;
        this.grantsAtRequest = grantsAtRequest;
    }

    /** For a lease that is requested while its holder has others; {@code covering} are those that cover part of what it needs. */
    static Nesting inside(Holder holder, List<StoreLease> covering) {
        return new Nesting(
                covering,
                holder.leasesWithParents().stream()
                        .filter(StoreLease::stands)
                        .map(StoreLease::grant)
                        .toList());
    }

    /** For a lease that was requested alone. */
    static Nesting outermost() {
        return new Nesting(List.of(), List.of());
    }

    List<StoreLease> covering() {
        return covering;
    }

    /** What the holder had been granted when it made the request. */
    List<StoreGrant> grantsAtRequest() {
        return grantsAtRequest;
    }

    /** The leases that need some of this one's locks too. */
    List<LeaseHandle> nested() {
        return nested;
    }

    void add(LeaseHandle lease) {
        nested.add(lease);
    }

    void remove(LeaseHandle lease) {
        nested.remove(lease);
    }

    /** Has a lease leave those that cover part of it. */
    void leaveCovering(LeaseHandle lease) {
        toRelease =
                covering.stream().filter(storeLease -> storeLease.leave(lease)).toList();
    }

    /** The covering ones that no lease uses any more; the store must release them. */
    List<StoreLease> toRelease() {
        return toRelease;
    }
}
