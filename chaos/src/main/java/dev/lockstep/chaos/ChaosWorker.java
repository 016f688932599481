package dev.lockstep.chaos;

import dev.lockstep.core.LockKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** One thread that locks, looks, nests, renews and writes, at random. */
final class ChaosWorker {
    private static final List<LockKey> PLACES = Estate.places();
    private static final List<LockKey> CARTS = Estate.carts();
    private static final long BETWEEN_LOOKS = TimeUnit.MILLISECONDS.toNanos(3);
    private static final long AFTER_A_REFUSAL = TimeUnit.MILLISECONDS.toNanos(20);

    private final Caller caller;
    private final Register register;
    private final History history;
    private final Duration term;
    private final Random random;

    ChaosWorker(Caller caller, Register register, History history, Duration term, Random random) {
        this.caller = caller;
        this.register = register;
        this.history = history;
        this.term = term;
        this.random = random;
    }

    void workUntil(BooleanSupplier ended) throws InterruptedException {
        while (!ended.getAsBoolean()) {
            LeaseUse habit = LeaseUse.any(random);
            PlannedRequest wish = PlannedRequest.among(PLACES, random, habit.term(term, random));
            Optional<Holding> had = caller.ask(wish, habit.isAsync());
            if (had.isPresent()) {
                use(had.get(), wish, habit);
            } else {
                LockSupport.parkNanos(AFTER_A_REFUSAL);
            }
        }
    }

    /** One nested call at most: on MySQL and MariaDB what it locked stays until the outer lease ends, so that a second one could close a cycle. */
    private void use(Holding holding, PlannedRequest wish, LeaseUse habit) throws InterruptedException {
        long start = System.nanoTime();
        long nanos = habit.hold(term, random).toNanos();
        boolean nests = !habit.isAsync() && random.nextInt(4) == 0;
        boolean renews = random.nextInt(10) == 0;
        boolean held = holding.look();
        while (held && System.nanoTime() - start < nanos) {
            LockSupport.parkNanos(BETWEEN_LOOKS);
            held = holding.look();
            if (held && nests) {
                nests = false;
                nest(holding, wish);
            }
            if (held && renews) {
                renews = false;
                holding.renew();
            }
            if (held && random.nextInt(50) == 0) {
                write(holding, wish);
            }
        }
        end(holding, wish, held);
    }

    private void nest(Holding outer, PlannedRequest outerWish) throws InterruptedException {
        PlannedRequest wish = random.nextInt(3) > 0 ? PlannedRequest.among(CARTS, random, null) : covered(outerWish);
        Optional<Holding> had = caller.askInside(outer, wish);
        if (had.isEmpty()) {
            return;
        }
        Holding inner = had.get();
        boolean held = inner.look();
        for (int looks = random.nextInt(20); looks > 0 && held; looks--) {
            LockSupport.parkNanos(BETWEEN_LOOKS);
            outer.look();
            held = inner.look();
        }
        end(inner, wish, held);
    }

    private static PlannedRequest covered(PlannedRequest outer) {
        boolean exclusively = !outer.exclusive().isEmpty();
        return PlannedRequest.covered((exclusively ? outer.exclusive() : outer.shared()).get(0), exclusively);
    }

    /** A holder that has lost its lease writes all the same now and then, as one does that didn't look. */
    private void end(Holding holding, PlannedRequest wish, boolean held) throws InterruptedException {
        if (held && holding.look()) {
            write(holding, wish);
        } else {
            holding.lost();
            if (random.nextBoolean()) {
                LockSupport.parkNanos(random.nextInt((int) TimeUnit.MILLISECONDS.toNanos(500)));
                write(holding, wish);
            }
        }
        holding.look();
        holding.release();
    }

    private void write(Holding holding, PlannedRequest wish) {
        List<LockKey> things = new ArrayList<>(wish.exclusive());
        if (things.isEmpty()) {
            return;
        }
        String thing = things.get(random.nextInt(things.size())).toString();
        OptionalLong number = register.write(thing, holding.token());
        String answer = number.isPresent() ? Long.toString(number.getAsLong()) : "refused";
        history.now("write", "op", holding.op(), "thing", thing, "token", holding.token(), "number", answer);
        if (random.nextInt(4) == 0) {
            history.now(
                    "unfenced",
                    "op",
                    holding.op(),
                    "thing",
                    thing,
                    "token",
                    holding.token(),
                    "before",
                    register.writeUnfenced(thing, holding.token()));
        }
    }
}
