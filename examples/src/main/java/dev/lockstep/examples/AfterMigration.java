package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;
import static java.time.Duration.ofSeconds;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Busy;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.examples.BeforeMigration.Work;
import dev.lockstep.redis.RedisLockStore;
import java.time.Duration;
import org.redisson.api.RedissonClient;

/** What {@link BeforeMigration} does, on Lockstep. */
final class AfterMigration {
    private final Locks locks;
    private final Work work;

    AfterMigration(Locks locks, Work work) {
        this.locks = locks;
        this.work = work;
    }

    /** Once, before the first process starts that uses the namespace. */
    static void create(String url) {
        // tag::migration-create
        try (RedisLockStore store = RedisLockStore.at(url).namespace("game")) {
            store.createNamespace();
        }
        // end::migration-create
    }

    static RolloutLocks rollout(Locks locks, RedissonClient redisson) {
        // tag::migration-rollout
        return new RolloutLocks(
                locks, Duration.ofSeconds(5), key -> redisson.getLock(key.kind().prefix() + ":" + key.id()));
        // end::migration-rollout
    }

    void both(RolloutLocks rollout, LockKey character, LockKey equipment) {
        // tag::migration-both
        try (RolloutLocks.Held held = rollout.acquire(exclusive(character, equipment))) {
            prepare();
            held.ensureHeld(); // before what can't be taken back
            work.change(character.id() + " and " + equipment.id());
        }
        // end::migration-both
    }

    private static void prepare() {}

    @SuppressWarnings("try") // the lease is only there to be held
    void lock(String ign) {
        // tag::after-lock
        try (Lease lease = locks.acquire(exclusive(CHARACTER.key(ign)))) { // waits 1 s; renewed until closed
            work.change(ign);
        }
        // end::after-lock
    }

    @SuppressWarnings("try") // the lease is only there to be held
    boolean tryLock(String ign) {
        // tag::after-try
        Attempt attempt = locks.tryAcquire(
                exclusive(CHARACTER.key(ign)).within(ofSeconds(2)).forTerm(ofSeconds(5)));
        if (attempt instanceof Granted granted) {
            try (Lease lease = granted.lease()) {
                work.change(ign);
            }
        } else if (attempt instanceof Busy busy) {
            work.change("nothing: " + busy.key() + " is busy: " + busy.blockers());
        }
        return attempt instanceof Granted;
        // end::after-try
    }

    void several(String ign, String equipmentId) {
        // tag::after-several
        locks.run(
                exclusive(EQUIPMENT.key(equipmentId), CHARACTER.key(ign)), // in any order
                lease -> work.change(ign + " and " + equipmentId));
        // end::after-several
    }

    void read(String ign) {
        // tag::after-read
        locks.run(shared(CHARACTER.key(ign)), lease -> work.change(ign));
        // end::after-read
    }

    void fenced(String ign) {
        // tag::after-fenced
        locks.run(
                exclusive(CHARACTER.key(ign)),
                lease -> work.write(ign, lease.token().value()));
        // end::after-fenced
    }
}
