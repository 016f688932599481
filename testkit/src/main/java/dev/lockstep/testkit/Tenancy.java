package dev.lockstep.testkit;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Ranked;

/** The kinds of the contract's hierarchy: users have accounts, and accounts have resources. */
public enum Tenancy implements LockKind {
    /** At the top. */
    @Ranked(0)
    USER,
    /** Of a user. */
    @Ranked(value = 1, in = "USER")
    ACCOUNT,
    /** Of an account; nothing is below it. */
    @Ranked(value = 2, in = "ACCOUNT", leaf = true)
    RESOURCE;

    /** The key of a user. */
    public static LockKey user(String user) {
        return USER.key(user);
    }

    /** The key of a user's account. */
    public static LockKey account(String user, String account) {
        return user(user).child(ACCOUNT, account);
    }

    /** The key of an account's resource. */
    public static LockKey resource(String user, String account, String resource) {
        return account(user, account).child(RESOURCE, resource);
    }
}
