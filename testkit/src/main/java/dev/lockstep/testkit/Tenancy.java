package dev.lockstep.testkit;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds of the contract's hierarchy: users have accounts, and accounts have resources. */
public enum Tenancy implements LockKind {
    /** At the top. */
    USER(0, null),
    /** Of a user. */
    ACCOUNT(1, USER),
    /** Of an account; nothing is below it. */
    RESOURCE(2, ACCOUNT);

    private final int rank;
    private final @Nullable Tenancy parent;

    Tenancy(int rank, @Nullable Tenancy parent) {
        this.rank = rank;
        this.parent = parent;
    }

    @Override
    public String prefix() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public Optional<LockKind> parent() {
        return Optional.ofNullable(parent);
    }

    @Override
    public boolean leaf() {
        return this == RESOURCE;
    }

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
