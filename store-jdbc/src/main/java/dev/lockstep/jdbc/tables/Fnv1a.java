package dev.lockstep.jdbc.tables;

/** The 32-bit FNV-1a hash, which spreads keys over the bucket rows. */
public final class Fnv1a {
    /** The hash's name in {@code hier_lock_settings}. */
    static final String NAME = "fnv1a32";

    private static final int OFFSET_BASIS = 0x811c9dc5;
    private static final int PRIME = 0x01000193;

    private Fnv1a() {}

    static int hash(byte[] bytes) {
        int hash = OFFSET_BASIS;
        for (byte each : bytes) {
            hash = (hash ^ (each & 0xff)) * PRIME;
        }
        return hash;
    }

    /** The bucket, from zero up, that the bytes belong to: the hash as an unsigned number, modulo the count. */
    public static int bucket(byte[] bytes, int count) {
        return Integer.remainderUnsigned(hash(bytes), count);
    }
}
