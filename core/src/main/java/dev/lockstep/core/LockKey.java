package dev.lockstep.core;

import dev.lockstep.core.internal.CanonicalBytes;
import dev.lockstep.core.internal.KeyText;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The name of one thing to lock: its kind, its id, and the key of the thing that contains it.
 *
 * <p>Keys are ordered by rank, then by kind prefix, then by the ids from the top down, compared as their UTF-8 bytes. The
 * order is total and the same in every process.
 */
public final class LockKey implements Comparable<LockKey> {
    private static final byte[] NOTHING = {};

    private final LockKind kind;
    private final String id;
    private final @Nullable LockKey parent;
    private final int rank;
    private final int depth;
    private final int longestId;
    private final LockKey root;
    private final int hash;
    private final int
            parentHash; // copied here and below, so that locking a path needn't fetch the keys above from memory
    private final int rootHash;
    private volatile byte @Nullable [] canonicalBytes;

    private LockKey(LockKind kind, String id, @Nullable LockKey parent) {
        this.kind = kind;
        this.id = id;
        this.parent = parent;
        this.rank = kind.rank();
        int own = 31 * kind.prefix().hashCode() + id.hashCode();
        if (parent == null) {
            depth = 1;
            longestId = id.length();
            hash = own;
            root = this;
            rootHash = own;
            parentHash = 0;
        } else {
            depth = parent.depth + 1;
            longestId = Math.max(parent.longestId, id.length());
            hash = 31 * parent.hash + own;
            root = parent.root;
            rootHash = parent.rootHash;
            parentHash = parent.hash;
        }
    }

    static LockKey root(LockKind kind, String id) {
        requireId(kind, id);
        Optional<LockKind> above = kind.parent();
        if (above.isPresent()) {
            String parentPrefix = above.get().prefix();
            throw new InvalidRequestException("A key of kind '" + kind.prefix() + "' stands below one of kind '"
                    + parentPrefix + "'. Write " + parentPrefix + "Key.child(" + kind.prefix() + ", id).");
        }
        return new LockKey(kind, id, null);
    }

    /** The key of a thing inside this one. */
    public LockKey child(LockKind kind, String id) {
        requireId(kind, id);
        LockKind expected = kind.parent().orElse(null);
        if (expected == null) {
            throw new InvalidRequestException(
                    "Kind '" + kind.prefix() + "' has no parent and can't stand below '" + this + "'. Write "
                            + kind.prefix() + ".key(id), or declare '" + this.kind.prefix() + "' as its parent.");
        }
        if (!sameKind(expected, this.kind)) {
            throw new InvalidRequestException("Kind '" + kind.prefix() + "' stands below kind '" + expected.prefix()
                    + "', not below '" + this.kind.prefix() + "' as in '" + this + "'. Write " + expected.prefix()
                    + "Key.child(" + kind.prefix() + ", id).");
        }
        return new LockKey(kind, id, this);
    }

    private static void requireId(LockKind kind, @Nullable String id) {
        Objects.requireNonNull(kind, "kind");
        if (id == null || id.isEmpty()) {
            throw new InvalidRequestException(
                    "A key of kind '" + kind.prefix() + "' needs an id that is not null and not empty.");
        }
    }

    private static boolean sameKind(LockKind one, LockKind other) {
        return one == other || (one.rank() == other.rank() && one.prefix().equals(other.prefix()));
    }

    /** What kind of thing this names. */
    public LockKind kind() {
        return kind;
    }

    /** The thing's id, unique among the things of its kind inside the parent. */
    public String id() {
        return id;
    }

    /** The key of the containing thing; empty at the top. */
    public Optional<LockKey> parent() {
        return Optional.ofNullable(parent);
    }

    /** The kind's rank. */
    public int rank() {
        return rank;
    }

    /** How many keys lead here from the top, this one included. */
    public int depth() {
        return depth;
    }

    /** The length in chars of the longest id on the way from the top to here. */
    public int longestId() {
        return longestId;
    }

    /** The hash code of the topmost key. */
    public int rootHash() {
        return rootHash;
    }

    /** The hash code of the key that many steps up. */
    int ancestorHash(int steps) {
        if (steps <= 1) {
            return steps == 0 ? hash : parentHash;
        }
        return steps == depth - 1 ? rootHash : ancestor(steps).hash;
    }

    /** The topmost key: the same for all keys of one tree. */
    public LockKey root() {
        return root;
    }

    /** Whether this is a proper ancestor of {@code other}. */
    public boolean isAncestorOf(LockKey other) {
        int steps = other.depth - depth;
        return steps > 0 && equals(other.ancestor(steps));
    }

    /** The key that many steps up; zero steps is this key. */
    public LockKey ancestor(int steps) {
        if (steps == depth - 1) {
            return root;
        }
        LockKey key = this;
        for (int i = 0; i < steps; i++) {
            key = Objects.requireNonNull(key.parent, "no key is that far up");
        }
        return key;
    }

    /**
     * The bytes that stand for this key wherever a hash or an exact name is needed. No two keys share them: each prefix and
     * id is preceded by its length. The caller gets a copy.
     */
    public byte[] canonicalBytes() {
        return bytes().clone();
    }

    private byte[] bytes() {
        byte[] bytes = canonicalBytes;
        if (bytes == null) {
            bytes = CanonicalBytes.of(parent == null ? NOTHING : parent.bytes(), kind, id);
            canonicalBytes = bytes;
        }
        return bytes;
    }

    /** {@code 02:equipment:B}: rank, prefix and id of a key without a parent. */
    public String named() {
        return KeyText.named(this);
    }

    @Override
    public int compareTo(LockKey other) {
        if (this == other) {
            return 0;
        }
        int byRank = Integer.compare(rank, other.rank);
        if (byRank != 0) {
            return byRank;
        }
        int byPrefix = kind.prefix().compareTo(other.kind.prefix());
        return byPrefix != 0 ? byPrefix : comparePaths(this, other);
    }

    private static int comparePaths(LockKey one, LockKey other) {
        int shared = Math.min(one.depth, other.depth);
        int byAncestors = compareAligned(one.ancestor(one.depth - shared), other.ancestor(other.depth - shared));
        return byAncestors != 0 ? byAncestors : Integer.compare(one.depth, other.depth);
    }

    private static int compareAligned(LockKey one, LockKey other) {
        if (one.parent != null && other.parent != null) {
            int above = compareAligned(one.parent, other.parent);
            if (above != 0) {
                return above;
            }
        }
        int byPrefix = one.kind.prefix().compareTo(other.kind.prefix());
        return byPrefix != 0 ? byPrefix : CanonicalBytes.compare(one.id, other.id);
    }

    @Override
    public boolean equals(@Nullable Object object) {
        if (this == object) {
            return true;
        }
        return object instanceof LockKey other
                && hash == other.hash
                && depth == other.depth
                && rank == other.rank
                && id.equals(other.id)
                && kind.prefix().equals(other.kind.prefix())
                && Objects.equals(parent, other.parent);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** {@code user:u1/account:a1}, which {@link Kinds#parse} reads back. */
    @Override
    public String toString() {
        return KeyText.path(this);
    }
}
