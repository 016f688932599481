package dev.lockstep.etcd;

import dev.lockstep.core.Locks;
import dev.lockstep.testservers.TestServers;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** A namespace on a cluster, with as many separate parties as a test needs. */
record Realm(String url, String namespace, Duration longest, Duration term) {
    private static final AtomicInteger NAMESPACES = new AtomicInteger();

    /** A machine may stand still for seconds. */
    private static final Duration ANSWER = Duration.ofSeconds(20);

    /** An unused namespace on the shared cluster. */
    static Realm shared() {
        return on(TestServers.etcdUrl());
    }

    static Realm on(String url) {
        String name = "realm-" + ProcessHandle.current().pid() + "-" + NAMESPACES.incrementAndGet();
        return new Realm(url, name, Duration.ofSeconds(30), Duration.ofSeconds(25));
    }

    Realm at(String otherUrl) {
        return new Realm(otherUrl, namespace, longest, term);
    }

    Realm terms(Duration newLongest, Duration newTerm) {
        return new Realm(url, namespace, newLongest, newTerm);
    }

    EtcdLockStore store() {
        return store(ANSWER);
    }

    EtcdLockStore store(Duration answerWithin) {
        return EtcdLockStore.at(url).namespace(namespace).longestTerm(longest).answerWithin(answerWithin);
    }

    /** Another party, with connections of its own. */
    Locks locks() {
        return locks(store());
    }

    Locks locks(EtcdLockStore store) {
        return Locks.builder(store)
                .defaultTerm(term)
                .defaultWait(Duration.ofMinutes(3))
                .build();
    }
}
