package dev.lockstep.benchmarks.databases;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.JarName;
import dev.lockstep.benchmarks.measure.LockServer;
import dev.lockstep.benchmarks.measure.PeerPool;
import dev.lockstep.benchmarks.measure.Population;
import java.util.List;
import java.util.concurrent.locks.Lock;
import org.springframework.core.io.ClassPathResource;
import org.springframework.integration.jdbc.lock.DefaultLockRepository;
import org.springframework.integration.jdbc.lock.JdbcLockRegistry;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;

/** Spring Integration's JdbcLockRegistry with its defaults, on the tables of the schema that it ships. One exclusive key. */
final class SpringLockRegistry implements Contender {
    private final List<String> names = Population.names();
    private final HikariDataSource pool;
    private final String schema;
    private final DefaultLockRepository repository;
    private final JdbcLockRegistry registry;

    SpringLockRegistry(LockServer server, HikariDataSource pool) {
        this.pool = pool;
        this.schema = "org/springframework/integration/jdbc/" + server.springSchema();
        new ResourceDatabasePopulator(new ClassPathResource(schema)).execute(pool);
        repository = new DefaultLockRepository(pool);
        repository.setTransactionManager(new DataSourceTransactionManager(pool));
        repository.afterPropertiesSet();
        repository.afterSingletonsInstantiated();
        repository.start();
        registry = new JdbcLockRegistry(repository);
    }

    @Override
    public String name() {
        return "Spring Integration JdbcLockRegistry, one key";
    }

    @Override
    public List<String> configuration() {
        return List.of(
                PeerPool.describe(pool),
                JarName.of(JdbcLockRegistry.class) + " with its defaults (time to live "
                        + DefaultLockRepository.DEFAULT_TTL.toSeconds() + " s), " + names.size() + " keys, tables from "
                        + schema);
    }

    @Override
    public boolean lockAndRelease() {
        Lock lock = registry.obtain(Population.anyOf(names));
        lock.lock();
        try {
            return true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        repository.stop();
        repository.close();
        pool.close();
    }
}
