package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class CallWatchTest {
    private static final long LIMIT = Duration.ofHours(1).toNanos();

    private final Session session = session();

    private static Session session() {
        try {
            return new Session(connection(), 1, Duration.ofHours(1), List.of());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A connection that does nothing. */
    private static Connection connection() {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (self, method, arguments) -> null);
    }

    private boolean isDeadAfter(long passed, long standstill) throws Exception {
        return session.call(LIMIT, null, () -> {
            session.watch(System.nanoTime() + passed, standstill, Runnable::run);
            return session.isDead();
        });
    }

    @Test
    void aCallThatTakesTooLongIsEnded() throws Exception {
        assertThat(isDeadAfter(2 * LIMIT, 0)).isTrue();
    }

    @Test
    void theTimeForWhichTheProcessStoodStillDoesNotCount() throws Exception {
        assertThat(isDeadAfter(2 * LIMIT, 2 * LIMIT)).isFalse();
    }
}
