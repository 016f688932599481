package dev.lockstep.jdbc;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.AbstractDataSource;

/**
 * Lends a connection to the server for one transaction at a time, as PgBouncer does in transaction mode: what looks like a connection may
 * be another session on the server after each commit or rollback.
 */
final class TransactionPooler extends AbstractDataSource implements AutoCloseable {
    private static final Set<String> ENDS = Set.of("commit", "rollback");

    private final Deque<Connection> free = new ArrayDeque<>();
    private final List<Connection> all = new ArrayList<>();
    private final boolean roundRobin;

    /** {@code roundRobin}: lends the connection that was idle for longest, else the one that was used last. */
    TransactionPooler(DataSource real, int size, boolean roundRobin) throws SQLException {
        this.roundRobin = roundRobin;
        for (int i = 0; i < size; i++) {
            all.add(real.getConnection());
        }
        free.addAll(all);
    }

    @Override
    public Connection getConnection() {
        Client client = new Client();
        return proxy(Connection.class, client::call);
    }

    @Override
    public Connection getConnection(String user, String password) {
        return getConnection();
    }

    private synchronized Connection lend() {
        return free.removeFirst();
    }

    private synchronized void release(Connection connection) {
        if (roundRobin) {
            free.addLast(connection);
        } else {
            free.addFirst(connection);
        }
    }

    @Override
    public void close() throws SQLException {
        for (Connection connection : all) {
            connection.close();
        }
    }

    private final class Client {
        private boolean autoCommit = true;
        private boolean closed;
        private @Nullable Connection lent;

        private Connection server() throws SQLException {
            Connection server = lent;
            if (server == null) {
                server = lend();
                server.setAutoCommit(autoCommit);
                lent = server;
            }
            return server;
        }

        private void transactionEnded() {
            if (lent != null) {
                release(lent);
                lent = null;
            }
        }

        @Nullable
        Object call(Method method, Object[] arguments) throws Throwable {
            switch (method.getName()) {
                case "getAutoCommit":
                    return autoCommit;
                case "setAutoCommit":
                    autoCommit = (boolean) arguments[0];
                    transactionEnded();
                    return null;
                case "isClosed":
                    return closed;
                case "abort", "close":
                    if (lent != null && !autoCommit) {
                        lent.rollback();
                    }
                    transactionEnded();
                    closed = true;
                    return null;
                case "createStatement":
                    return proxy(Statement.class, (called, values) -> statement("", called, values));
                case "prepareStatement":
                    String sql = (String) arguments[0];
                    return new Prepared(sql).proxy();
                default:
                    Object result = invoke(server(), method, arguments);
                    if (autoCommit || ENDS.contains(method.getName())) {
                        transactionEnded();
                    }
                    return result;
            }
        }

        private @Nullable Object statement(String sql, Method method, Object[] arguments) throws Throwable {
            if (!method.getName().startsWith("execute")) {
                return null; // close, cancel
            }
            Object result = invoke(server().createStatement(), method, arguments);
            if (autoCommit) {
                transactionEnded();
            }
            return result;
        }

        /** Is prepared again for each execution, as a pooler has it. */
        private final class Prepared {
            private final String sql;
            private final List<Object[]> parameters = new ArrayList<>();
            private final List<Method> setters = new ArrayList<>();

            Prepared(String sql) {
                this.sql = sql;
            }

            PreparedStatement proxy() {
                return TransactionPooler.proxy(PreparedStatement.class, this::call);
            }

            @Nullable
            Object call(Method method, Object[] arguments) throws Throwable {
                if (method.getName().startsWith("set")) {
                    setters.add(method);
                    parameters.add(arguments);
                    return null;
                }
                if (!method.getName().startsWith("execute")) {
                    return null;
                }
                PreparedStatement statement = server().prepareStatement(sql);
                for (int i = 0; i < setters.size(); i++) {
                    invoke(statement, setters.get(i), parameters.get(i));
                }
                setters.clear();
                parameters.clear();
                return invoke(statement, method, arguments);
            }
        }
    }

    private interface Call {
        @Nullable
        Object run(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader() == null ? TransactionPooler.class.getClassLoader() : type.getClassLoader(),
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
