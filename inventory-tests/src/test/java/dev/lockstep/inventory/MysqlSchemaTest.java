package dev.lockstep.inventory;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.UsesServer;
import java.util.List;
import org.junit.jupiter.api.Tag;

@UsesServer(ServerKind.MYSQL)
@Tag("once")
class MysqlSchemaTest extends ServerSchema {
    MysqlSchemaTest() {
        super(ServerKind.MYSQL);
    }

    @Override
    List<String> newUser(String name, String database) {
        return List.of(
                "CREATE USER " + name + " IDENTIFIED BY 'secret'",
                "GRANT SELECT, INSERT, UPDATE, DELETE ON " + database + ".* TO " + name);
    }

    @Override
    String withoutOnce() {
        return "ALTER TABLE inventory_transaction DROP INDEX inventory_transaction_once";
    }
}
