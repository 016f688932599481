package dev.lockstep.cli.store;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.StoreTrait;
import dev.lockstep.etcd.EtcdDoctor;
import dev.lockstep.etcd.EtcdLockStore;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * An etcd cluster, and a namespace there.
 *
 * @param url with user and password, as it was written: never to be printed
 */
public record EtcdClusterAddress(String url, Credentials credentials, String namespace) implements StoreAddress {
    static EtcdClusterAddress parse(String url, Credentials credentials, Optional<String> namespace) {
        if (credentials.user().isPresent() != credentials.password().isPresent() && !url.contains("@")) {
            throw new InvalidRequestException(
                    "A user of etcd needs a password, and a password a user. Write --user and set the variable LOCKSTEP_PASSWORD, or put"
                            + " both into the URL: etcd://user:password@host:2379.");
        }
        EtcdClusterAddress address = new EtcdClusterAddress(url, credentials, namespace.orElse("default"));
        address.in(address.namespace).close(); // refuses what is not an address; nothing is connected yet
        return address;
    }

    private EtcdLockStore in(String name) {
        EtcdLockStore store = EtcdLockStore.at(url);
        if (credentials.user().isPresent() && credentials.password().isPresent()) {
            store = store.user(credentials.user().get(), credentials.password().get());
        }
        return store.namespace(name).answerWithin(InTime.PATIENCE);
    }

    @Override
    public LockStore open() {
        return in(namespace);
    }

    @Override
    public Diagnosis examine() {
        EtcdDoctor doctor = EtcdDoctor.at(url);
        if (credentials.user().isPresent() && credentials.password().isPresent()) {
            doctor =
                    doctor.user(credentials.user().get(), credentials.password().get());
        }
        return doctor.namespace(namespace).examine();
    }

    @Override
    public Optional<String> whyNothingToProvision() {
        return Optional.of("Locks on etcd need no rows: there is nothing to provision.");
    }

    @Override
    public Scratch scratch(String id, LockKind... kinds) {
        return new EtcdScratch(this, "verify-" + id);
    }

    /** A namespace of a trial, and a second one that can be made to lose its memory. */
    private record EtcdScratch(EtcdClusterAddress cluster, String name) implements Scratch {
        @Override
        public String where() {
            return "the namespace " + name + " of " + cluster;
        }

        @Override
        public Set<StoreTrait> traits() {
            return Set.of();
        }

        @Override
        public LockStore store() {
            return cluster.in(name);
        }

        @Override
        public Optional<RestartableStore> restartable(Duration longestTerm) {
            return Optional.of(new RestartableStore() {
                @Override
                public LockStore store() {
                    return cluster.in(other()).longestTerm(longestTerm);
                }

                @Override
                public void restart() {
                    try (EtcdLockStore restorer = cluster.in(other()).longestTerm(longestTerm)) {
                        restorer.simulateRestore();
                    }
                }
            });
        }

        private String other() {
            return name + "-restore";
        }

        @Override
        public void close() {
            for (String each : new String[] {name, other()}) {
                try (EtcdLockStore store = cluster.in(each)) {
                    store.removeNamespace();
                }
            }
        }
    }

    /** Such as {@code etcd://host1:2379,host2:2379}. */
    @Override
    public String toString() {
        return Secrets.hide(url).replace("//…@", "//");
    }
}
