package dev.lockstep.jdbc.sql;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Prepares statements on the server whatever the driver's settings say. JDBC has no method for that, but the drivers of MySQL and MariaDB
 * have. They are found by name: this module needs neither of them.
 */
public final class ServerPreparation {
    private static final List<Driver> DRIVERS = List.of(
            new Driver("com.mysql.cj.jdbc.JdbcConnection", "serverPrepareStatement", List.of()),
            new Driver(
                    "org.mariadb.jdbc.Connection",
                    "prepareInternal",
                    List.of(
                            ResultSet.TYPE_FORWARD_ONLY,
                            ResultSet.CONCUR_READ_ONLY,
                            Statement.NO_GENERATED_KEYS,
                            true)));

    /** A driver's type of connections, with the method that prepares, and what this needs besides the SQL. */
    private record Driver(String type, String method, List<Object> options) {
        private Method methodOf(Class<?> found) throws NoSuchMethodException {
            Stream<Class<?>> others =
                    options.stream().map(option -> option instanceof Integer ? int.class : boolean.class);
            return found.getMethod(
                    method, Stream.concat(Stream.of(String.class), others).toArray(Class<?>[]::new));
        }
    }

    private final Object connection;
    private final Method method;
    private final List<Object> options;

    private ServerPreparation(Object connection, Method method, List<Object> options) {
        this.connection = connection;
        this.method = method;
        this.options = options;
    }

    /** Empty if the connection is not, and does not wrap, one of a driver that is known. */
    public static Optional<ServerPreparation> on(Connection connection) {
        return DRIVERS.stream()
                .flatMap(driver -> on(connection, driver).stream())
                .findFirst();
    }

    private static Optional<ServerPreparation> on(Connection connection, Driver driver) {
        Stream<ClassLoader> loaders = Stream.of(
                        connection.getClass().getClassLoader(),
                        Thread.currentThread().getContextClassLoader(),
                        ServerPreparation.class.getClassLoader())
                .filter(Objects::nonNull)
                .distinct();
        return loaders.flatMap(loader -> on(connection, driver, loader).stream())
                .findFirst();
    }

    private static Optional<ServerPreparation> on(Connection connection, Driver driver, ClassLoader loader) {
        try {
            Class<?> type = Class.forName(driver.type, false, loader);
            if (!connection.isWrapperFor(type)) {
                return Optional.empty();
            }
            Method method = driver.methodOf(type);
            return Optional.of(new ServerPreparation(connection.unwrap(type), method, driver.options));
        } catch (ReflectiveOperationException | LinkageError | SQLException e) {
            return Optional.empty(); // another driver, or another version of it
        }
    }

    /** A statement that the server has prepared, or prepares when it is first executed. */
    public PreparedStatement prepare(String sql) throws SQLException {
        Object[] arguments = Stream.concat(Stream.of(sql), options.stream()).toArray();
        try {
            return (PreparedStatement) method.invoke(connection, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SQLException cause) {
                throw cause;
            }
            throw new SQLException("Preparing a statement failed: " + e.getCause(), e.getCause());
        } catch (IllegalAccessException e) {
            throw new SQLException("The driver does not permit " + method, e);
        }
    }
}
