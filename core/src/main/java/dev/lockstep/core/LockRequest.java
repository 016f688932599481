package dev.lockstep.core;

import dev.lockstep.core.internal.Durations;
import dev.lockstep.core.internal.RequestOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to {@link Locks}: which things, shared or exclusive, how long to wait, for how long to hold them, and the owner.
 *
 * <p>Requests are values; each wither returns a new one.
 */
public final class LockRequest {
    private static final LockKey[] NONE = {};

    private final LockKey first;
    private final LockKey[] rest; // none in most requests
    private final int exclusive; // how many of the keys are exclusive; they come first
    private final RequestOptions options;

    private LockRequest(LockKey first, LockKey[] rest, int exclusive, RequestOptions options) {
        this.first = first;
        this.rest = rest;
        this.exclusive = exclusive;
        this.options = options;
    }

    /** No other holder may hold this thing or anything in it. */
    public static LockRequest exclusive(LockKey key) {
        return one(key, 1);
    }

    /** No other holder may hold these things or anything in them. */
    public static LockRequest exclusive(LockKey... keys) {
        return of(checked(keys), keys.length, RequestOptions.DEFAULTS);
    }

    /** No other holder may hold these things or anything in them. */
    public static LockRequest exclusive(Collection<LockKey> keys) {
        return exclusive(toArray(keys));
    }

    /** Others may hold this thing shared, but not exclusively. */
    public static LockRequest shared(LockKey key) {
        return one(key, 0);
    }

    /** Others may hold these things shared, but not exclusively. */
    public static LockRequest shared(LockKey... keys) {
        return of(checked(keys), 0, RequestOptions.DEFAULTS);
    }

    /** Others may hold these things shared, but not exclusively. */
    public static LockRequest shared(Collection<LockKey> keys) {
        return shared(toArray(keys));
    }

    private static LockKey[] toArray(@Nullable Collection<LockKey> keys) {
        return keys == null ? new LockKey[0] : keys.toArray(LockKey[]::new);
    }

    private static LockRequest one(LockKey key, int exclusive) {
        requireKey(key);
        return new LockRequest(key, NONE, exclusive, RequestOptions.DEFAULTS);
    }

    private static LockRequest of(LockKey[] keys, int exclusive, RequestOptions options) {
        LockKey[] rest = keys.length == 1 ? NONE : Arrays.copyOfRange(keys, 1, keys.length);
        return new LockRequest(keys[0], rest, exclusive, options);
    }

    private static LockKey[] checked(LockKey @Nullable [] keys) {
        if (keys == null || keys.length == 0) {
            throw new InvalidRequestException("The request names no key. Name at least one, such as USER.key(\"u1\").");
        }
        LockKey[] copy = keys.clone();
        for (LockKey key : copy) {
            requireKey(key);
        }
        return copy;
    }

    private static void requireKey(@Nullable LockKey key) {
        if (key == null) {
            throw new InvalidRequestException("A key of the request is null. Leave it out, or name the thing to lock.");
        }
    }

    /** The same request with further keys, acquired in the same call. */
    public LockRequest andExclusive(LockKey... more) {
        return joined(exclusive(more));
    }

    /** The same request with further keys, acquired in the same call. */
    public LockRequest andShared(LockKey... more) {
        return joined(shared(more));
    }

    private LockRequest joined(LockRequest more) {
        List<LockKey> all = new ArrayList<>(keys());
        all.addAll(exclusive, more.keys().subList(0, more.exclusive));
        all.addAll(more.keys().subList(more.exclusive, more.size()));
        return of(all.toArray(LockKey[]::new), exclusive + more.exclusive, options);
    }

    /** Waits at most this long for the whole request. */
    public LockRequest within(Duration wait) {
        Durations.requirePositive(
                "The time to wait", wait, "Give a positive duration, or write withoutWaiting() to answer at once.");
        return with(options.withLongestWait(wait));
    }

    /** Waits for as long as it takes: until the locks are acquired, the thread is interrupted, or the {@link Locks} are closed. */
    public LockRequest withoutLimit() {
        return within(Durations.LONGEST);
    }

    /** Doesn't wait: fails immediately if any lock is unavailable. */
    public LockRequest withoutWaiting() {
        return with(options.withLongestWait(Duration.ZERO));
    }

    /** Holds for this long and isn't renewed by itself. Without it the lease is renewed until it is closed. */
    public LockRequest forTerm(Duration term) {
        Durations.requirePositive("The lease term", term, "Give a positive duration, such as Duration.ofSeconds(10).");
        return with(options.withTerm(term));
    }

    /** Holds for this long at most, however often it is renewed. */
    public LockRequest atMost(Duration longest) {
        Durations.requirePositive(
                "The longest hold", longest, "Give a positive duration, such as Duration.ofMinutes(5).");
        return with(options.withAtMost(longest));
    }

    /** Names the owner, as waiting requests and snapshots show it. */
    public LockRequest as(String owner) {
        if (owner == null || owner.isBlank()) {
            throw new InvalidRequestException("The owner label is empty. Name the job, such as \"close-account\".");
        }
        return with(options.withOwner(owner));
    }

    /** Interrupts the acquiring thread if the lease is lost before it is closed. */
    public LockRequest interruptOnLoss() {
        return with(options.withInterrupts(true, options.uninterruptible()));
    }

    /**
     * Continues to wait when the waiting thread is interrupted; the thread stays interrupted. Without it an interrupt ends the wait with an
     * {@link ErrorCode#INTERRUPTED} error.
     */
    public LockRequest uninterruptibly() {
        return with(options.withInterrupts(options.interruptOnLoss(), true));
    }

    private LockRequest with(RequestOptions changed) {
        return new LockRequest(first, rest, exclusive, changed);
    }

    /** The keys as they were named. */
    public List<LockKey> keys() {
        if (rest.length == 0) {
            return List.of(first);
        }
        LockKey[] all = new LockKey[size()];
        Arrays.setAll(all, this::key);
        return List.of(all);
    }

    /** How long {@link #within} or {@link #withoutWaiting} say that it waits; empty when neither was called. */
    public Optional<Duration> longestWait() {
        return Optional.ofNullable(options.longestWait());
    }

    /** The owner that {@link #as} names; empty if it wasn't called. */
    public Optional<String> owner() {
        return Optional.ofNullable(options.owner());
    }

    int size() {
        return 1 + rest.length;
    }

    LockKey key(int index) {
        return index == 0 ? first : rest[index - 1];
    }

    LockMode mode(int index) {
        return index < exclusive ? LockMode.EXCLUSIVE : LockMode.SHARED;
    }

    RequestOptions options() {
        return options;
    }

    @Override
    public String toString() {
        List<LockKey> all = keys();
        String shared = exclusive == all.size() ? "" : "shared" + all.subList(exclusive, all.size());
        return exclusive == 0 ? shared : "exclusive" + all.subList(0, exclusive) + shared;
    }
}
