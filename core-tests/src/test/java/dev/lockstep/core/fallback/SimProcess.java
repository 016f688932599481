package dev.lockstep.core.fallback;

import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreGrant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A process of the simulation: a pair of its own, and leases that it takes, renews and gives back. */
final class SimProcess implements EpochListener {
    /** The threads of a process. One that is in a call does nothing else meanwhile; the others go on. */
    enum Part {
        REGISTER,
        WORKER,
        OTHER_WORKER
    }

    final int number;
    final SimClock clock;
    final SimLine toPrimary;
    final SimLine toSecondary;
    final List<SimLease> leases = new ArrayList<>();
    private final SimWorld world;
    private final FallbackRouter router;
    private final SwitchDecision decision;
    private final Set<Part> busy = EnumSet.noneOf(Part.class);
    private boolean begun;
    private long leaseNumber;
    long suspendedUntil;

    SimProcess(SimWorld world, int number, SimClock clock, FallbackOptions options) {
        this.world = world;
        this.number = number;
        this.clock = clock;
        toPrimary = new SimLine(world, this, world.primary);
        toSecondary = new SimLine(world, this, world.secondary);
        SimStore first = new SimStore(world.primary, toPrimary, clock);
        SimStore second = new SimStore(world.secondary, toSecondary, clock);
        Stores stores = new Stores(first, second);
        EpochClaim claim =
                new EpochClaim(second.register(), options, options.terms("sim", Optional.empty()), clock, this);
        Health health = new Health(first, clock);
        decision = new SwitchDecision(stores, options, claim, health);
        // what is given back in the background just ends
        router = new FallbackRouter(stores, options, claim, health, new InFlight(clock, () -> {}), task -> {});
    }

    /** Does what one of its threads would do next, if that is free. */
    void act(Part part) {
        if (!busy.add(part)) {
            return;
        }
        try {
            if (!begun) {
                decision.begin();
                begun = true;
            } else if (part == Part.REGISTER) {
                tend();
            } else {
                work();
            }
        } catch (LockException e) {
            world.failures++;
        } finally {
            busy.remove(part);
        }
    }

    private void tend() {
        if (world.random.nextBoolean()) {
            router.claim().confirm();
        } else {
            decision.probe();
        }
    }

    private void work() {
        leases.removeIf(lease -> !lease.isCounted());
        int choice = world.random.nextInt(100);
        if (leases.isEmpty() || choice < 10) {
            take();
        } else if (choice < 40) {
            renew(leases.get(world.random.nextInt(leases.size())));
        } else if (choice < 42 || world.isPeaceful()) { // seldom: a switch meets leases that are held for long
            release(leases.get(world.random.nextInt(leases.size())));
        }
    }

    private void take() {
        LockKey key = world.keys.get(world.random.nextInt(world.keys.size()));
        SimLease lease = new SimLease(this, key, ++leaseNumber, world.someTerm());
        try {
            if (router.acquire(lease) instanceof EpochGrant grant) {
                lease.grant = grant;
                world.granted(lease);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void renew(SimLease lease) {
        if (lease.grant == null || !lease.isCounted()) {
            return;
        }
        ClockReading asked = ClockReading.now(clock);
        Duration term = world.someTerm();
        List<StoreGrant> ended = router.renew(List.of(new Renewal(lease.grant, term)));
        if (!ended.isEmpty()) {
            leases.remove(lease);
        } else if (lease.isCounted()) { // a lease that is over is never revived
            lease.renewed(asked, term);
            world.check();
        }
    }

    private void release(SimLease lease) {
        leases.remove(lease);
        if (lease.grant != null) {
            router.release(lease.grant);
        }
    }

    @Override
    public void switched(String reason) {
        world.switches++;
    }

    @Override
    public void opened() {}

    @Override
    public void secondaryLost(Exception why) {}

    @Override
    public void secondaryFound() {}

    @Override
    public void refused(String why) {
        throw new AssertionError(why);
    }
}
