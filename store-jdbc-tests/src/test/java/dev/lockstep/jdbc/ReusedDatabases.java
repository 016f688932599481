package dev.lockstep.jdbc;

import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.sql.SQLException;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * As many databases as tests of a class run side by side. Each belongs to one test at a time: tests see one another's locks in a common
 * one, and creating one for each test takes longer than most of the tests.
 */
final class ReusedDatabases implements AfterEachCallback, AfterAllCallback {
    private final ServerKind kind;
    private final Map<Object, TestDatabase> used = new ConcurrentHashMap<>();
    private final Queue<TestDatabase> free = new ConcurrentLinkedQueue<>();

    ReusedDatabases(ServerKind kind) {
        this.kind = kind;
    }

    /** The test's own database until its end. */
    TestDatabase of(Object test) {
        return used.computeIfAbsent(test, unused -> next());
    }

    private TestDatabase next() {
        TestDatabase database = free.poll();
        return database != null ? database : create();
    }

    private TestDatabase create() {
        try {
            return TestServers.shared(kind).freshDatabase();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** After the contract has closed the stores. */
    @Override
    public void afterEach(ExtensionContext context) {
        TestDatabase database = used.remove(context.getRequiredTestInstance());
        if (database != null) {
            free.add(database);
        }
    }

    @Override
    public void afterAll(ExtensionContext context) throws SQLException {
        for (TestDatabase database : free) {
            database.close();
        }
    }
}
