package dev.lockstep.examples;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Connections by JDBC URL, without a pool. An application has its own source. */
final class DriverSource implements DataSource {
    private final String url;

    DriverSource(String url) {
        this.url = url;
    }

    /** The URL of a database that an example was called with; without one, or without its driver, says how to call it. */
    static @Nullable String urlOf(String example, String[] args) {
        if (args.length == 1 && hasDriver(args[0])) {
            return args[0];
        }
        System.out.println("This example needs a database: a JDBC URL, and that database's driver on the class path.");
        System.out.println("  java -cp examples/target/lockstep-examples.jar:DRIVER.jar dev.lockstep.examples.Demo "
                + example + " URL");
        System.out.println("URL is one of");
        System.out.println("  jdbc:mysql://127.0.0.1:3306/mgl_test?user=root&password=root");
        System.out.println("  jdbc:mariadb://127.0.0.1:3306/mgl_test?user=root&password=root");
        System.out.println("  jdbc:postgresql://127.0.0.1:5432/app?user=app&password=app");
        System.out.println("`docker compose up -d` starts a MySQL for the first of them.");
        return null;
    }

    private static boolean hasDriver(String url) {
        try {
            DriverManager.getDriver(url);
            return true;
        } catch (SQLException e) {
            System.out.println("No driver on the class path knows this URL.");
            return false;
        }
    }

    /** {@code mysql} of {@code jdbc:mysql://…}. */
    static String product(String url) {
        return url.split(":", 3)[1];
    }

    @Override
    public Connection getConnection() throws SQLException {
        return DriverManager.getConnection(url);
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return DriverManager.getConnection(url, user, password);
    }

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return null;
    }

    @Override
    public void setLogWriter(PrintWriter out) {}

    @Override
    public void setLoginTimeout(int seconds) {
        DriverManager.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() {
        return DriverManager.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() throws SQLFeatureNotSupportedException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        throw new SQLFeatureNotSupportedException();
    }

    @Override
    public boolean isWrapperFor(Class<?> type) {
        return false;
    }
}
