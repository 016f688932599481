package dev.lockstep.server.demo;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.server.locks.keys.KeyReader;
import java.util.random.RandomGenerator;

/** What a simulated worker uses: the server's locks, the keys of a small shop's users and accounts, and random numbers. */
record DemoContext(Locks locks, KeyReader keys, RandomGenerator chance) {
    private static final int USERS = 4;
    private static final int ACCOUNTS = 2;
    private static final int RESOURCES = 3;

    /** A job of which there is one at a time. */
    LockKey job(String name) {
        return keys.parse("job:" + name);
    }

    LockKey user(int number) {
        return keys.parse("user:u" + number);
    }

    LockKey account(int user, int number) {
        return keys.parse("user:u" + user + "/account:a" + number);
    }

    LockKey anyAccount() {
        return account(anyUser(), 1 + chance.nextInt(ACCOUNTS));
    }

    LockKey anyResource() {
        return keys.parse(anyAccount() + "/resource:cart-" + (1 + chance.nextInt(RESOURCES)));
    }

    /** The first users have the most to do, so that some keys are hotter than others. */
    int anyUser() {
        return 1 + Math.min(chance.nextInt(USERS), chance.nextInt(USERS));
    }

    /** Works, or rests, for a time between these. */
    void pass(int least, int most) throws InterruptedException {
        Thread.sleep(least + chance.nextInt(most - least + 1));
    }
}
