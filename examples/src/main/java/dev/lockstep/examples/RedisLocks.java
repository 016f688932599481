package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.ACCOUNT;
import static dev.lockstep.examples.AccountKinds.RESOURCE;
import static dev.lockstep.examples.AccountKinds.USER;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.redis.RedisLockStore;
import java.time.Duration;

/** The same locks on Redis: they hold between processes, and all processes see holders and waiters. */
public final class RedisLocks {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LONGEST_TERM = Duration.ofSeconds(30); // unless the store is given another

    private RedisLocks() {}

    public static void main(String[] args) {
        if (args.length != 1) {
            System.out.println("This example needs a Redis server: ./lockstep demo RedisLocks redis://127.0.0.1:6379");
            System.out.println("`docker compose up -d` starts one there.");
            return;
        }
        createNamespace(args[0]);
        // Two of them stand for two processes: they have nothing in common but the server.
        try (Locks here = on(args[0]);
                Locks there = on(args[0])) {
            hierarchy(here, there);
            order(here, there);
        }
    }

    // tag::redis
    static Locks on(String url) { // such as redis://host:6379
        return Locks.on(RedisLockStore.at(url).namespace("examples"));
    }
    // end::redis

    private static void createNamespace(String url) {
        // tag::redis-namespace
        try (RedisLockStore store = RedisLockStore.at(url).namespace("examples")) {
            store.createNamespace(); // once, before any process uses the namespace; never at each start
        }
        // end::redis-namespace
    }

    private static void hierarchy(Locks here, Locks there) {
        LockKey account = USER.key("u1").child(ACCOUNT, "a1");
        Thread payment;
        try (Lease lease = here.acquire(exclusive(account).forTerm(LONGEST_TERM).as("close-account"))) {
            System.out.println("closing a1 under token " + lease.token());
            payment = Backstage.start(
                    "payment",
                    () -> there.run(
                            exclusive(account.child(RESOURCE, "r1")).within(PATIENCE),
                            inner -> System.out.println("paid r1")));
            Backstage.awaitWaiter(here, "payment");
            here.snapshot()
                    .waiters()
                    .forEach(waiter -> System.out.println(
                            waiter.owner() + " waits for " + waiter.key() + " behind " + waiter.blockedBy()));
        }
        Backstage.join(payment);
    }

    private static void order(Locks here, Locks there) {
        LockKey r1 = USER.key("u1").child(ACCOUNT, "a1").child(RESOURCE, "r1");
        LockKey r2 = USER.key("u1").child(ACCOUNT, "a2").child(RESOURCE, "r2");
        Thread forth = Backstage.start("forth", () -> takeOften(here, r1, r2));
        Thread back = Backstage.start("back", () -> takeOften(there, r2, r1));
        Backstage.join(forth);
        Backstage.join(back);
        System.out.println("forth and back had both 100 times, no deadlock");
    }

    private static void takeOften(Locks locks, LockKey first, LockKey second) {
        for (int i = 0; i < 100; i++) {
            locks.run(exclusive(first, second).within(PATIENCE), lease -> {});
        }
    }
}
