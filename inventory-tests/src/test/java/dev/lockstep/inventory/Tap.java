package dev.lockstep.inventory;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Where a test gets between the inventory and its database. */
interface Tap {
    /** Instead of asking for a connection. */
    default Connection connect(DataSource real) throws SQLException {
        return real.getConnection();
    }

    /** Before a statement is prepared. */
    default void prepare(String sql) throws SQLException {}

    /** Instead of a commit. */
    default void commit(Connection real) throws SQLException {
        real.commit();
    }

    /** After a connection was closed. */
    default void closed() {}

    /** The same database, with this tap in between. */
    default DataSource on(DataSource real) {
        return proxy(DataSource.class, (method, arguments) -> {
            if (!method.getName().equals("getConnection")) {
                return invoke(real, method, arguments);
            }
            return on(connect(real));
        });
    }

    private Connection on(Connection real) {
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("commit")) {
                commit(real);
                return null;
            }
            if (method.getName().equals("prepareStatement")) {
                prepare((String) arguments[0]);
            }
            Object result = invoke(real, method, arguments);
            if (method.getName().equals("close")) {
                closed();
            }
            return result;
        });
    }

    /** A call on its way. */
    interface Call {
        Object answer(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                Tap.class.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.answer(method, arguments)));
    }

    private static Object invoke(Object real, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
