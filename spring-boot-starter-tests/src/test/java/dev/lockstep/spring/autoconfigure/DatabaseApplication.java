package dev.lockstep.spring.autoconfigure;

import dev.lockstep.testservers.TestDatabase;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application on a database of its own. */
final class DatabaseApplication {
    private DatabaseApplication() {}

    static ApplicationContextRunner on(String store, TestDatabase database) {
        return Applications.connected()
                .withPropertyValues(
                        "lockstep.store=" + store,
                        "lockstep.wait=1m",
                        "spring.datasource.hikari.connection-timeout=120000",
                        "spring.datasource.url=" + database.jdbcUrl(),
                        "spring.datasource.username=" + database.user(),
                        "spring.datasource.password=" + database.password());
    }

    /** The same with few rows, made at the start. */
    static ApplicationContextRunner provisioned(String store, TestDatabase database) {
        return on(store, database).withPropertyValues("lockstep.provision-if-missing=true", "lockstep.buckets=1000");
    }
}
