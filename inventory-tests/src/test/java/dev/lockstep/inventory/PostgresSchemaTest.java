package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.util.List;
import org.junit.jupiter.api.Tag;

@UsesServer(ServerKind.POSTGRES)
@Tag("once")
class PostgresSchemaTest extends ServerSchema {
    PostgresSchemaTest() {
        super(ServerKind.POSTGRES);
    }

    @Override
    String folder() {
        return "postgresql";
    }

    @Override
    List<String> newUser(String name, String database) {
        return List.of(
                "CREATE ROLE " + name + " LOGIN PASSWORD 'secret'",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO " + name);
    }
}
