package samples;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.core.Holds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.Ranked;
import dev.lockstep.core.Takes;

class Methods {
    @Ranked(1)
    private static final LockKind CITY = LockKind.of("city", 1);
    private static final LockKind HOUSE = LockKind.of("house", 1 + 1);

    @Ranked(value = 3, in = "CITY")
    static final LockKind ROOM = LockKind.of("room", 3).in(CITY);

    @Ranked(7)
    static final LockKind WRONG = LockKind.of("wrong", 6); // error: @Ranked on WRONG says wrong (rank 7), and its value is wrong (rank 6)

    private final Locks locks;

    Methods(Locks locks) {
        this.locks = locks;
    }

    interface Names {
        @Takes("city")
        void rename(String city);

        @Holds("city")
        void check(String city);
    }

    void inferred(String a) {
        locks.run(exclusive(HOUSE.key(a)), outer -> {
            first(a); // error: city (rank 1) is acquired by lock() in line
            lock(HOUSE.key(a));
            lockOn(locks, a); // error: city (rank 1)
            overridable(a);
        });
        first(a);
    }

    private void first(String a) {
        second(a);
    }

    final void second(String a) {
        lock(city(a));
    }

    private LockKey city(String name) {
        return CITY.key(name);
    }

    private void lock(LockKey key) {
        try (Lease lease = locks.acquire(exclusive(key))) {
            lease.ensureHeld();
        }
    }

    private static void lockOn(Locks used, String a) {
        used.run(exclusive(CITY.key(a)), lease -> {});
    }

    void overridable(String a) {
        first(a);
    }

    void opened(String a) {
        try (Lease lease = open(a)) {
            first(a); // error: city (rank 1)
        }
    }

    private Lease open(String a) {
        return locks.acquire(exclusive(HOUSE.key(a)));
    }

    void underTheCity(String a) {
        locks.run(exclusive(city(a)), lease -> within(a));
    }

    /** Its caller holds the city, so that the inner request is covered. */
    private void within(String a) {
        locks.run(exclusive(HOUSE.key(a)), lease -> first(a)); // strict: only if the ids
    }

    private void recursive(String a, int depth) {
        if (depth > 0) {
            locks.run(exclusive(HOUSE.key(a)), lease -> recursive(a, depth - 1));
        }
    }

    void contracts(Names names, String a) {
        names.rename(a);
        names.check(a); // error: Names.check() must be called with a lock of city held (@Holds), and here nothing is held
        locks.run(exclusive(HOUSE.key(a)), lease -> {
            names.rename(a); // error: city (rank 1) is acquired by Names.rename() (@Takes) while house (rank 2) is held
            names.check(a); // error: only house (rank 2) is held
        });
        locks.run(exclusive(CITY.key(a)), lease -> names.check(a));
    }

    void reference(String a) {
        locks.run(exclusive(HOUSE.key(a)), this::take); // error: city (rank 1)
    }

    private void take(Lease lease) {
        first("x");
    }

    @Holds("house")
    void held(Names names, String a) {
        locks.run(exclusive(CITY.key(a)), lease -> {}); // error: city (rank 1) is acquired while house (rank 2) is held by the caller (@Holds)
        needsHouse();
    }

    @Holds("house")
    void needsHouse() {}

    private void privately() {
        needsHouse();
    }

    void aroundPrivately(String a) {
        locks.run(exclusive(HOUSE.key(a)), lease -> privately());
    }

    void inALambda(Runnable unknown) {
        Runnable later = () -> needsHouse();
        later.run();
    }

    static class Renamed implements Names {
        @Override
        public void rename(String city) {}

        @Override
        public void check(String city) {}
    }

    void inherited(Renamed renamed, String a) {
        locks.run(exclusive(HOUSE.key(a)), lease -> renamed.rename(a)); // error: city (rank 1)
    }
}
