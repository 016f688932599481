package dev.lockstep.cli.store;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.spi.LockStore;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The store that {@code --store} names. Its {@code toString()} has no password. */
public sealed interface StoreAddress extends AutoCloseable
        permits MemoryAddress, DatabaseAddress, RedisAddress, EtcdClusterAddress, PairAddress {
    /** Reads {@code memory}, a JDBC URL, a Redis URL or an etcd URL. */
    static StoreAddress parse(String url, Credentials credentials, Optional<String> namespace) {
        String text = url.strip();
        String scheme = text.toLowerCase(Locale.ROOT);
        if (scheme.equals("memory")) {
            refuseNamespace(namespace);
            return new MemoryAddress();
        }
        if (scheme.startsWith("jdbc:")) {
            return DatabaseAddress.parse(text, credentials, namespace);
        }
        if (scheme.matches("(redis|rediss|redis\\+ssl|redis-socket|rediss?-sentinel|rediss?-cluster):.*")) {
            return RedisAddress.parse(text, credentials, namespace);
        }
        if (scheme.matches("etcds?:.*")) {
            return EtcdClusterAddress.parse(text, credentials, namespace);
        }
        throw new InvalidRequestException(
                (text.isEmpty() ? "The store has no URL" : Secrets.scheme(text) + " is no store that is known")
                        + ". Write memory, jdbc:mysql://host/database, jdbc:mariadb://host/database,"
                        + " jdbc:postgresql://host/database, redis://host:6379, redis-sentinel://host1:26379,host2:26379#name,"
                        + " redis-cluster://host1:6379,host2:6379 or etcd://host1:2379,host2:2379,host3:2379.");
    }

    /** What would be ignored is refused: the user expects an effect. */
    static void refuseNamespace(Optional<String> namespace) {
        if (namespace.isPresent()) {
            throw new InvalidRequestException(
                    "There are no namespaces in memory, on MySQL and on MariaDB: a database is one of its"
                            + " own there. Leave --namespace " + namespace.get() + " out.");
        }
    }

    /** The store itself, to look at or to lock with. The caller closes it. */
    LockStore open();

    /** Whether locks there can be relied on. A server that can't be reached is a finding. */
    Diagnosis examine();

    /** Whether the locks of other processes can be seen there, where that takes rights of its own. */
    default Diagnosis examineSight() {
        return new Diagnosis(List.of());
    }

    /** The kinds that the store has recorded; empty where it keeps no record that can be read. */
    default Optional<Set<String>> recordedKinds() {
        return Optional.empty();
    }

    /** Why locks there need no rows that are made beforehand; empty where they do. */
    Optional<String> whyNothingToProvision();

    /** A place on the same server that is kept apart from everything else there, for locks of these kinds. Its name ends with the id. */
    Scratch scratch(String id, LockKind... kinds);

    /** Ends its connections. */
    @Override
    default void close() {}
}
