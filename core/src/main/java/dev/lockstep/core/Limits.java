package dev.lockstep.core;

/**
 * What one request may ask for at most.
 *
 * @param idLength chars in one id
 * @param depth keys from the top to the thing locked
 * @param keys keys named in one request
 */
public record Limits(int idLength, int depth, int keys) {
    /** Ids of 512 chars, 16 levels, 1,000 keys. */
    public static final Limits DEFAULT = new Limits(512, 16, 1_000);

    /** Rejects limits that would forbid everything. */
    public Limits {
        requirePositive("idLength", idLength);
        requirePositive("depth", depth);
        requirePositive("keys", keys);
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new InvalidRequestException("The limit " + name + " is " + value + ". Give a limit of 1 or more.");
        }
    }

    void check(LockRequest request) {
        if (request.size() > keys) {
            throw new InvalidRequestException("The request names " + request.size() + " keys, and " + keys
                    + " are allowed. Lock their common parent, or raise Limits.keys.");
        }
        for (int i = 0; i < request.size(); i++) {
            check(request.key(i));
        }
    }

    private void check(LockKey key) {
        if (key.longestId() > idLength) {
            throw new InvalidRequestException("An id in the key '" + abbreviate(key.toString()) + "' has "
                    + key.longestId() + " chars, and " + idLength
                    + " are allowed. Use a shorter id, such as a hash of it, or"
                    + " raise Limits.idLength.");
        }
        if (key.depth() > depth) {
            throw new InvalidRequestException("The key '" + abbreviate(key.toString()) + "' has " + key.depth()
                    + " levels, and " + depth + " are allowed. Use fewer levels, or raise Limits.depth.");
        }
    }

    private static String abbreviate(String text) {
        return text.length() <= 100 ? text : text.substring(0, 100) + "…";
    }
}
