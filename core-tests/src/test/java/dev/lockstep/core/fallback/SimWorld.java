package dev.lockstep.core.fallback;

import dev.lockstep.core.Estate;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Processes, two servers and what goes wrong between them, on one thread and one true time that nobody in it knows. Every run of a seed
 * is the same.
 */
final class SimWorld {
    private static final long TICK = Duration.ofMillis(20).toNanos();
    private static final int DEEPEST = 6;
    private static final List<SimProcess.Part> PARTS = List.of(SimProcess.Part.values());

    final Random random;
    final SimServer primary;
    final SimServer secondary;
    final List<SimProcess> processes;
    final List<LockKey> keys = List.of(Estate.ITEM.key("a"));
    private final FallbackOptions options;
    private final boolean overlapsOfEpochs;
    private final Map<LockKey, FencingToken> last = new HashMap<>();
    private long time;
    private int depth;
    private boolean harmful = true;
    int grants;
    int failures;
    int switches;
    private final Set<Integer> servedInPeace = new HashSet<>();

    SimWorld(long seed, FallbackOptions options) {
        random = new Random(seed);
        this.options = options;
        overlapsOfEpochs = options.withoutSecondary() == WithoutSecondary.KEEP_FENCED;
        primary = new SimServer("primary", someClock());
        secondary = new SimServer("secondary", someClock());
        processes = IntStream.range(0, 2 + random.nextInt(3))
                .mapToObj(number -> new SimProcess(this, number, someClock(), options))
                .toList();
    }

    /** Speeds differ by one in a hundred at most: that is what is promised to be enough. */
    private SimClock someClock() {
        return new SimClock(
                0.996 + random.nextDouble() * 0.008,
                1_700_000_000_000L + random.nextInt(1_000_000),
                random.nextBoolean());
    }

    Duration someTerm() {
        long longest = options.longestTerm().toMillis();
        return Duration.ofMillis(longest - (random.nextBoolean() ? 0 : random.nextInt((int) longest / 2)));
    }

    // ---- time

    void live(Duration length) {
        long end = time + length.toNanos();
        while (time < end) {
            step();
        }
    }

    private void step() {
        time += TICK;
        primary.clock.pass(TICK, false);
        secondary.clock.pass(TICK, false);
        processes.forEach(process -> process.clock.pass(TICK, isSuspended(process)));
        check();
        if (harmful && random.nextInt(250) == 0) {
            harm();
        }
        SimProcess next = processes.get(random.nextInt(processes.size()));
        if (!isSuspended(next)) {
            next.act(PARTS.get(random.nextInt(PARTS.size())));
        }
    }

    private boolean isSuspended(SimProcess process) {
        return process.suspendedUntil > time;
    }

    /** A call of this process is on its way: mostly for a moment, sometimes for long, and for as long as the process stands still. */
    void delay(SimProcess process) {
        if (depth >= DEEPEST) {
            return;
        }
        depth++;
        long end = time + (harmful && random.nextInt(25) == 0 ? TICK * random.nextInt(400) : TICK * random.nextInt(2));
        while (time < end || isSuspended(process)) {
            step();
        }
        depth--;
    }

    // ---- what goes wrong

    private void harm() {
        SimProcess process = processes.get(random.nextInt(processes.size()));
        switch (random.nextInt(10)) {
            case 0 -> process.toPrimary.cut ^= true;
            case 1 -> process.toSecondary.cut ^= true;
            case 2 -> primary.down ^= true;
            case 3 -> secondary.down ^= random.nextInt(3) == 0;
            case 4 -> process.suspendedUntil = time + TICK * random.nextInt(600);
            case 5 -> process.clock.stepWallClock(random.nextInt(20_000) - 10_000);
            case 6, 7, 8 -> split(process);
            default -> mend();
        }
    }

    /** The worst one: a process that has only the primary, and all others have only the secondary. */
    private void split(SimProcess alone) {
        mend();
        alone.toSecondary.cut = true;
        processes.stream().filter(process -> process != alone).forEach(process -> process.toPrimary.cut = true);
    }

    private void mend() {
        primary.down = false;
        secondary.down = false;
        processes.forEach(process -> {
            process.toPrimary.cut = false;
            process.toSecondary.cut = false;
        });
    }

    /** Ends all faults. */
    void makePeace() {
        harmful = false;
        mend();
        servedInPeace.clear();
    }

    boolean isPeaceful() {
        return !harmful;
    }

    boolean everyoneWasServedInPeace() {
        return servedInPeace.size() == processes.size();
    }

    // ---- what must hold

    void granted(SimLease lease) {
        if (!lease.isCounted()) {
            return; // the answer came too late to be counted on
        }
        grants++;
        servedInPeace.add(lease.process.number);
        lease.process.leases.add(lease);
        check();
        FencingToken before = last.put(lease.key, lease.token());
        if (before != null && !overlapsOfEpochs && lease.token().compareTo(before) <= 0) {
            throw new AssertionError(lease + " has a token that is not above " + before);
        }
    }

    void check() {
        for (LockKey key : keys) {
            List<SimLease> counted = new ArrayList<>();
            processes.forEach(process -> process.leases.stream()
                    .filter(lease -> lease.key.equals(key) && lease.isCounted())
                    .forEach(counted::add));
            long epochs = counted.stream()
                    .map(SimLease::token)
                    .map(FencingToken::epoch)
                    .distinct()
                    .count();
            if (counted.size() > (overlapsOfEpochs ? epochs : 1)) {
                throw new AssertionError(
                        "At " + Duration.ofNanos(time) + " more than one counts on " + key + ": " + counted);
            }
        }
    }
}
