package dev.lockstep.cli.store;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;

/**
 * A JDBC URL that a driver here takes.
 *
 * @param text the URL as the driver gets it
 * @param shown the URL without passwords
 */
record JdbcUrl(String text, String shown, Credentials credentials) {

    static JdbcUrl parse(String url, Credentials credentials) {
        if (!url.matches("(?is)jdbc:(mysql|mariadb|postgresql):.*")) {
            throw new InvalidRequestException("'" + Secrets.hide(url)
                    + "' is not a URL of MySQL, MariaDB or PostgreSQL. Write jdbc:mysql://host:3306/database,"
                    + " jdbc:mariadb://host:3306/database or jdbc:postgresql://host:5432/database.");
        }
        return new JdbcUrl(forDriver(url), Secrets.hide(url), credentials);
    }

    /** MySQL's own driver is GPL and so not bundled. If it is on the class path it is used, else MariaDB's, which asks to be told. */
    private static String forDriver(String url) {
        if (!url.regionMatches(true, 0, "jdbc:mysql:", 0, 11) || isKnown(url)) {
            return url;
        }
        return url + (url.contains("?") ? "&" : "?") + "permitMysqlScheme";
    }

    private static boolean isKnown(String url) {
        try {
            DriverManager.getDriver(url);
            return true;
        } catch (SQLException e) {
            return false;
        }
    }

    boolean isPostgres() {
        return text.regionMatches(true, 0, "jdbc:postgresql:", 0, 16);
    }

    /** One connection, without a pool: what is wrong with the URL, the user or the server shows at once. */
    Connection connect() {
        Properties properties = new Properties();
        credentials.user().ifPresent(user -> properties.setProperty("user", user));
        credentials.password().ifPresent(password -> properties.setProperty("password", password));
        return InTime.call("Connecting to " + shown, () -> {
            try {
                return DriverManager.getConnection(text, properties);
            } catch (SQLException e) {
                throw failure("Connecting to " + shown, e);
            } catch (RuntimeException e) { // such as a port that is no port
                throw new InvalidRequestException(
                        "The driver can't use the URL " + shown + ": " + Secrets.hide(String.valueOf(e.getMessage()))
                                + ". Write jdbc:mysql://host:3306/database or the like.");
            }
        });
    }

    static LockException failure(String doing, SQLException e) {
        String state = String.valueOf(e.getSQLState());
        boolean refused = state.startsWith("28") || state.startsWith("3D") || state.startsWith("42");
        return new LockException(
                refused ? ErrorCode.STORE_FAILED : ErrorCode.STORE_UNAVAILABLE,
                doing + " failed: "
                        + Secrets.hide(String.valueOf(e.getMessage()).strip()) + " "
                        + (refused
                                ? "Look at the name of the database, the user and the password."
                                : "Look at host and port, and whether the server runs."),
                List.of(),
                e);
    }
}
