package dev.lockstep.spring.autoconfigure;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.UsesServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

@UsesServer(ServerKind.MYSQL)
@Tag("once")
class MysqlApplicationTest extends ApplicationContract {
    private TestDatabase database;

    @BeforeEach
    void database(TestDatabase fresh) {
        database = fresh;
    }

    @Override
    ApplicationContextRunner application() {
        return DatabaseApplication.provisioned("mysql", database);
    }
}
