package dev.lockstep.etcd;

import dev.lockstep.core.LockMode;
import dev.lockstep.etcd.rpc.KeyValue;
import java.util.Optional;
import java.util.UUID;

/**
 * One entry as it is in etcd.
 *
 * @param etcdLease the id of the lease that it is attached to
 */
record StoredEntry(Entries.Name name, EntryRecord record, long created, long etcdLease) {
    static StoredEntry read(EtcdNamespace namespace, KeyValue entry) {
        return new StoredEntry(
                Entries.read(namespace, entry.getKey()),
                EntryRecord.read(entry.getValue()),
                entry.getCreateRevision(),
                entry.getLease());
    }

    /** Empty for a key that another program has put among the entries. */
    static Optional<StoredEntry> readIfOurs(EtcdNamespace namespace, KeyValue entry) {
        try {
            return Optional.of(read(namespace, entry));
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }

    String key() {
        return name.key();
    }

    LockMode mode() {
        return name.mode();
    }

    UUID lease() {
        return name.lease();
    }

    /** Whether this one waits for the other. */
    boolean isBehind(StoredEntry other) {
        return other.created < created
                && !other.lease().equals(lease())
                && !other.mode().compatibleWith(mode());
    }
}
