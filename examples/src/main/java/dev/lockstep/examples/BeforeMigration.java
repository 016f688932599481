package dev.lockstep.examples;

import java.util.concurrent.TimeUnit;
import org.redisson.api.RFencedLock;
import org.redisson.api.RLock;
import org.redisson.api.RReadWriteLock;
import org.redisson.api.RedissonClient;

/** What code on Redisson looks like; {@link AfterMigration} does the same on Lockstep. */
final class BeforeMigration {
    private final RedissonClient redisson;
    private final Work work;

    BeforeMigration(RedissonClient redisson, Work work) {
        this.redisson = redisson;
        this.work = work;
    }

    /** What is done under the locks. */
    interface Work {
        void change(String what);

        /** Writes something, unless a higher token was seen before. */
        default void write(String what, long token) {
            change(what + " with a token");
        }
    }

    void lock(String ign) {
        // tag::before-lock
        RLock lock = redisson.getLock("character:" + ign);
        lock.lock(); // waits forever; renewed by the watchdog
        try {
            work.change(ign);
        } finally {
            lock.unlock();
        }
        // end::before-lock
    }

    boolean tryLock(String ign) throws InterruptedException {
        // tag::before-try
        RLock lock = redisson.getLock("character:" + ign);
        if (!lock.tryLock(2, 5, TimeUnit.SECONDS)) { // waits 2 s, holds for 5 s
            return false;
        }
        try {
            work.change(ign);
        } finally {
            if (lock.isHeldByCurrentThread()) {
                lock.unlock();
            }
        }
        return true;
        // end::before-try
    }

    void several(String ign, String equipmentId) {
        // tag::before-several
        RLock characterLock = redisson.getLock("character:" + ign);
        RLock equipmentLock = redisson.getLock("equipment:" + equipmentId);

        characterLock.lock();
        equipmentLock.lock(); // a deadlock, if other code takes the equipment first
        try {
            work.change(ign + " and " + equipmentId);
        } finally {
            equipmentLock.unlock();
            characterLock.unlock();
        }
        // end::before-several
    }

    void multi(String ign, String equipmentId) {
        // tag::before-multi
        RLock both = redisson.getMultiLock(
                redisson.getLock("character:" + ign), redisson.getLock("equipment:" + equipmentId));
        both.lock();
        try {
            work.change(ign + " and " + equipmentId);
        } finally {
            both.unlock();
        }
        // end::before-multi
    }

    void read(String ign) {
        // tag::before-read
        RReadWriteLock lock = redisson.getReadWriteLock("character:" + ign);
        lock.readLock().lock();
        try {
            work.change(ign);
        } finally {
            lock.readLock().unlock();
        }
        // end::before-read
    }

    void fair(String ign) {
        // tag::before-fair
        RLock lock = redisson.getFairLock("character:" + ign);
        lock.lock();
        try {
            work.change(ign);
        } finally {
            lock.unlock();
        }
        // end::before-fair
    }

    void fenced(String ign) {
        // tag::before-fenced
        RFencedLock lock = redisson.getFencedLock("character:" + ign);
        long token = lock.lockAndGetToken();
        try {
            work.write(ign, token);
        } finally {
            lock.unlock();
        }
        // end::before-fenced
    }
}
