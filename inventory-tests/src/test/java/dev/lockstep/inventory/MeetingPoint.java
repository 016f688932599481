package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/**
 * A data source whose first transactions wait for each other before they change a stock: each has read what the others are about to
 * change. For strategies that read without a lock; the others would wait here for those that wait for them.
 */
final class MeetingPoint {
    private static final String LOOK = "FROM inventory_location";
    private static final String CHANGE = "UPDATE inventory_location";

    private final CountDownLatch missing;

    private MeetingPoint(int parties) {
        missing = new CountDownLatch(parties);
    }

    /** The data source, where so many will meet. */
    static DataSource of(DataSource real, int parties) {
        MeetingPoint point = new MeetingPoint(parties);
        return proxy(DataSource.class, real, (proxy, method, arguments) -> {
            Object result = method.invoke(real, arguments);
            return result instanceof Connection connection ? point.guarded(connection) : result;
        });
    }

    /** The data source, where something else happens after the first look at a stock and before the second. */
    static DataSource betweenLooks(DataSource real, Runnable meanwhile) {
        AtomicInteger looks = new AtomicInteger();
        return proxy(DataSource.class, real, (proxy, method, arguments) -> {
            Object result = method.invoke(real, arguments);
            return result instanceof Connection connection
                    ? counted(connection, () -> {
                        if (looks.incrementAndGet() == 2) {
                            meanwhile.run();
                        }
                    })
                    : result;
        });
    }

    private static Connection counted(Connection real, Runnable look) {
        return proxy(Connection.class, real, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement") && ((String) arguments[0]).contains(LOOK)) {
                look.run();
            }
            return method.invoke(real, arguments);
        });
    }

    private Connection guarded(Connection real) {
        return proxy(Connection.class, real, (proxy, method, arguments) -> {
            if (method.getName().equals("prepareStatement") && ((String) arguments[0]).contains(CHANGE)) {
                meet();
            }
            return method.invoke(real, arguments);
        });
    }

    private void meet() throws InterruptedException {
        missing.countDown();
        assertThat(missing.await(2, TimeUnit.MINUTES))
                .as("all came to the meeting")
                .isTrue();
    }

    private static <T> T proxy(Class<T> type, T real, InvocationHandler handler) {
        InvocationHandler unwrapping = (proxy, method, arguments) -> {
            try {
                return handler.invoke(proxy, method, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        };
        return type.cast(Proxy.newProxyInstance(real.getClass().getClassLoader(), new Class<?>[] {type}, unwrapping));
    }
}
