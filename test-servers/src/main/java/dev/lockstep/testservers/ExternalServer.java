package dev.lockstep.testservers;

import java.sql.SQLException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A server that an environment variable names. */
final class ExternalServer implements TestServer {
    private final Endpoint endpoint;
    private final Set<TestDatabase> databases = ConcurrentHashMap.newKeySet();

    ExternalServer(Endpoint endpoint) {
        this.endpoint = endpoint;
        Runtime.getRuntime().addShutdownHook(new Thread(this::dropAll, "lockstep-drop-databases"));
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    /** Drops the database when this JVM ends, in case its test does not. */
    void dropAtEnd(TestDatabase database) {
        databases.add(database);
    }

    void dropped(TestDatabase database) {
        databases.remove(database);
    }

    private void dropAll() {
        for (TestDatabase database : databases) {
            try {
                database.close();
            } catch (SQLException e) {
                System.err.println("The database " + database.name() + " stays behind: " + e);
            }
        }
    }
}
