package dev.lockstep.benchmarks.databases;

import static dev.lockstep.core.LockRequest.exclusive;

import dev.lockstep.benchmarks.measure.BenchmarkKinds;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.LockServer;
import dev.lockstep.benchmarks.measure.Population;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import java.util.List;
import javax.sql.DataSource;

/** Lockstep with everything on, on its own data source without a pool: the store keeps its connections itself. */
final class LockstepContender implements Contender {
    private final String name;
    private final List<LockKey> keys;
    private final Locks locks;

    private LockstepContender(String name, List<LockKey> keys, Locks locks) {
        this.name = name;
        this.keys = keys;
        this.locks = locks;
    }

    /** A resource exclusively, its account and user shared. */
    static Contender threeLevels(LockServer server, DataSource dataSource) {
        return new LockstepContender("Lockstep, 3 levels", Population.resources(), Locks.on(server.store(dataSource)));
    }

    /** A user exclusively, who has nothing above. */
    static Contender oneKey(LockServer server, DataSource dataSource) {
        List<LockKey> keys =
                Population.names().stream().map(BenchmarkKinds.USER::key).toList();
        return new LockstepContender("Lockstep, one key", keys, Locks.on(server.store(dataSource)));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<String> configuration() {
        return List.of("%,d keys, %,d buckets where there are rows, defaults otherwise; DataSource without a pool"
                .formatted(keys.size(), LockServer.BUCKETS));
    }

    @Override
    public boolean lockAndRelease() {
        locks.acquire(exclusive(Population.anyOf(keys))).close();
        return true;
    }

    @Override
    public void close() {
        locks.close();
    }
}
