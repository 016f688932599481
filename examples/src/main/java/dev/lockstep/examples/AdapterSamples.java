package dev.lockstep.examples;

import dev.lockstep.client.HttpLockStore;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.concurrent.LockView;
import dev.lockstep.core.concurrent.LockViews;
import dev.lockstep.shedlock.LockstepLockProvider;
import dev.lockstep.springintegration.LockstepLockRegistry;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReadWriteLock;
import net.javacrumbs.shedlock.core.LockProvider;
import org.springframework.integration.support.locks.LockRegistry;

/** Locks as other libraries expect them. */
final class AdapterSamples {
    // tag::adapter-kinds
    static final LockKind ACCOUNT = LockKind.of("account", 10).asLeaf(); // nothing is locked below it
    static final LockKind JOB = LockKind.of("job", 20);
    static final LockKind GROUP = LockKind.of("message-group", 30);
    // end::adapter-kinds

    private AdapterSamples() {}

    static void lock(Locks locks, Runnable work) {
        // tag::lock
        LockViews views = LockViews.on(locks); // keep one
        LockView lock = views.lock(ACCOUNT.key("a1"));
        lock.lock();
        try {
            lock.lease().ifPresent(lease -> System.out.println("held under token " + lease.token()));
            work.run();
        } finally {
            lock.unlock(); // LeaseLostException if the lock was lost meanwhile
        }
        // end::lock
    }

    static boolean readWrite(Locks locks, Runnable read) throws InterruptedException {
        // tag::read-write
        ReadWriteLock lock = LockViews.on(locks).readWriteLock(ACCOUNT.key("a1"));
        if (!lock.readLock().tryLock(2, TimeUnit.SECONDS)) {
            return false; // a writer has it
        }
        try {
            read.run(); // other readers may read, too
        } finally {
            lock.readLock().unlock();
        }
        // end::read-write
        return true;
    }

    static LockProvider shedLock(Locks locks) {
        // tag::shedlock
        LockProvider provider = LockstepLockProvider.on(locks, JOB); // as a bean, for @SchedulerLock
        // end::shedlock
        return provider;
    }

    static LockRegistry<?> springIntegration(Locks locks) {
        // tag::spring-integration
        LockstepLockRegistry registry = LockstepLockRegistry.on(locks, GROUP); // as a bean, for aggregators and others
        // end::spring-integration
        return registry;
    }

    static Locks client(String token) {
        // tag::client
        HttpLockStore server = HttpLockStore.at("http://127.0.0.1:7070").token(token);
        Locks locks = Locks.on(server);
        // end::client
        return locks;
    }
}
