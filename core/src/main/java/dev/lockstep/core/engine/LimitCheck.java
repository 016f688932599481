package dev.lockstep.core.engine;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Limits;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.internal.ApiAccess;

/** Refuses requests that exceed {@link Limits}. */
final class LimitCheck {
    private static final ApiAccess API = ApiAccess.get();

    private final Limits limits;

    LimitCheck(Limits limits) {
        this.limits = limits;
    }

    void check(LockRequest request) {
        int size = API.size(request);
        if (size > limits.keys()) {
            throw new InvalidRequestException("The request names " + size + " keys, and " + limits.keys()
                    + " are allowed. Lock their common parent, or raise Limits.keys.");
        }
        for (int i = 0; i < size; i++) {
            check(API.key(request, i));
        }
    }

    private void check(LockKey key) {
        if (key.longestId() > limits.idLength()) {
            throw new InvalidRequestException("An id in the key '" + abbreviate(key.toString()) + "' has "
                    + key.longestId() + " chars, and " + limits.idLength()
                    + " are allowed. Use a shorter id, such as a hash of it, or"
                    + " raise Limits.idLength.");
        }
        if (key.depth() > limits.depth()) {
            throw new InvalidRequestException("The key '" + abbreviate(key.toString()) + "' has " + key.depth()
                    + " levels, and " + limits.depth() + " are allowed. Use fewer levels, or raise Limits.depth.");
        }
    }

    private static String abbreviate(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }
}
