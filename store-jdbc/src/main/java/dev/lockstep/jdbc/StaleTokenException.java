package dev.lockstep.jdbc;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.jdbc.fencing.Fence;
import java.util.List;
import java.util.Optional;

/** A write was refused because a holder with a later token has written the same thing. Roll the transaction back. */
public final class StaleTokenException extends LockException {
    private static final long serialVersionUID = 1L;

    private final String thingKind;
    private final String thingId;
    private final transient FencingToken token;
    private final transient Optional<FencingToken> seen;

    StaleTokenException(Fence fence, Optional<FencingToken> seen, List<LockKey> keys) {
        super(ErrorCode.STALE_TOKEN, message(fence, seen), keys, null);
        thingKind = fence.kind();
        thingId = fence.id();
        token = fence.token();
        this.seen = seen;
    }

    private static String message(Fence fence, Optional<FencingToken> seen) {
        return "The write to " + fence.thing() + " carries the token " + fence.token() + ", but "
                + seen.map(later -> "the later token " + later).orElse("a later one")
                + " was seen: the lock has passed to another holder. Roll back, stop the work, and acquire the lock again"
                + " before writing.";
    }

    /** The kind of the thing that was not written. */
    public String thingKind() {
        return thingKind;
    }

    /** The id of the thing that was not written. */
    public String thingId() {
        return thingId;
    }

    /** The token that the write carried. */
    public FencingToken token() {
        return token;
    }

    /** The later token; empty when it couldn't be read. */
    public Optional<FencingToken> seen() {
        return seen;
    }
}
