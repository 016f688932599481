package dev.lockstep.cli.store;

import dev.lockstep.core.LockKey;

/** The rows of a scratch place that stand for keys. Several keys may share one. */
public interface LockRows {
    /** The name of the table. */
    String table();

    /** The bucket of a key: the 32-bit FNV-1a hash of its canonical bytes, modulo the number of rows of a kind. */
    default int bucket(LockKey key) {
        int hash = 0x811c9dc5;
        for (byte each : key.canonicalBytes()) {
            hash = (hash ^ (each & 0xff)) * 0x01000193;
        }
        return Integer.remainderUnsigned(hash, Scratch.ROWS);
    }

    /** Deletes the row of this key. */
    void delete(LockKey key);

    /** Creates the rows that are missing, as the provisioning command does. */
    void provision();
}
