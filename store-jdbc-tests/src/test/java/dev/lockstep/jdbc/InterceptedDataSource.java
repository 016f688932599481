package dev.lockstep.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** Connections of another data source, on which a test sees and changes what happens. */
final class InterceptedDataSource extends AbstractDataSource {
    /** Sees a statement before it runs. */
    interface Interceptor {
        void before(Connection connection, String sql) throws SQLException;
    }

    private final DataSource real;
    private final Interceptor interceptor;
    private final List<Connection> opened = new CopyOnWriteArrayList<>();

    InterceptedDataSource(DataSource real, Interceptor interceptor) {
        this.real = real;
        this.interceptor = interceptor;
    }

    /** The real connections, in the order in which they were opened. */
    List<Connection> opened() {
        return opened;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = real.getConnection();
        opened.add(connection);
        return proxy(Connection.class, connection, (method, arguments) -> {
            Object result = invoke(connection, method, arguments);
            if (!(result instanceof Statement statement)) {
                return result;
            }
            String prepared = arguments != null && arguments[0] instanceof String sql ? sql : "";
            return statement(method.getReturnType(), statement, connection, prepared);
        });
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return getConnection();
    }

    private <T> T statement(Class<T> type, Statement statement, Connection connection, String prepared) {
        return proxy(type, statement, (method, arguments) -> {
            if (method.getName().startsWith("execute")) {
                interceptor.before(
                        connection,
                        arguments != null && arguments.length > 0 ? String.valueOf(arguments[0]) : prepared);
            }
            return invoke(statement, method, arguments);
        });
    }

    private interface Call {
        Object run(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Object target, Call call) {
        return type.cast(Proxy.newProxyInstance(
                target.getClass().getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> call.run(method, arguments)));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
