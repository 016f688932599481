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
}
