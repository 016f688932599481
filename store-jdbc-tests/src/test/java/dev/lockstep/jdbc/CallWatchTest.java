package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.jdbc.sql.SqlFault;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class CallWatchTest {
    private static final long LIMIT = Duration.ofHours(1).toNanos();

    private final AtomicInteger cancels = new AtomicInteger();
    private final LockSession session = session();

    private LockSession session() {
        try {
            return LockSession.ofCaller(connection());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    /** A connection whose statements only count how often they are cancelled. */
    private Connection connection() {
        return proxy(Connection.class, method -> method.equals("createStatement") ? statement() : null);
    }

    private Statement statement() {
        return proxy(Statement.class, method -> {
            if (method.equals("cancel")) {
                cancels.incrementAndGet();
            }
            return null;
        });
    }

    private static <T> T proxy(Class<T> type, Function<String, @Nullable Object> answer) {
        InvocationHandler handler = (self, method, arguments) -> answer.apply(method.getName());
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private boolean isDeadAfter(long passed, long standstill) throws Exception {
        session.call(LIMIT, null, () -> {
            session.watch(System.nanoTime() + passed, standstill, Runnable::run);
            return true;
        });
        return session.isDead();
    }

    @Test
    void theResponseToACallThatTookTooLongIsNotAccepted() {
        assertThatThrownBy(() -> isDeadAfter(2 * LIMIT, 0))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(SqlFault.of(e)).isEqualTo(SqlFault.CONNECTION_LOST));
        assertThat(session.isDead()).isTrue();
    }

    @Test
    void theTimeForWhichTheProcessStoodStillDoesNotCount() throws Exception {
        assertThat(isDeadAfter(2 * LIMIT, 2 * LIMIT)).isFalse();
    }

    @Test
    void aCallThatContinuesThoughItWasCancelledIsCancelledAgain() throws Exception {
        long start = System.nanoTime();
        session.call(LIMIT, () -> true, () -> {
            for (int second = 0; second < 3; second++) {
                session.watch(start + Duration.ofSeconds(second).toNanos(), 0, Runnable::run);
                session.watch(start + Duration.ofSeconds(second).toNanos() + 1, 0, Runnable::run);
            }
            return true;
        });
        assertThat(cancels).hasValue(3);
    }
}
