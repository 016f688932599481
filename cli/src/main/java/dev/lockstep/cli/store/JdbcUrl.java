package dev.lockstep.cli.store;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * A JDBC URL that a driver here takes.
 *
 * @param text the URL as the driver gets it
 * @param shown the URL without passwords
 */
record JdbcUrl(String text, String shown, Credentials credentials) {
    private static final String MYSQL = "jdbc:mysql:";
    private static final String ENCRYPTED = "sslMode=trust";
    private static final Pattern TLS_IS_SAID = Pattern.compile(
            "(?i)[?&](useSsl|sslMode|requireSSL|allowPublicKeyRetrieval|serverSslCert|serverRsaPublicKeyFile)\\b");

    static JdbcUrl parse(String url, Credentials credentials) {
        if (!url.matches("(?is)jdbc:(mysql|mariadb|postgresql):([^@]*|[^@]*//.*)")) {
            throw new InvalidRequestException(Secrets.scheme(url)
                    + " is not a URL of MySQL, MariaDB or PostgreSQL. Write jdbc:mysql://host:3306/database,"
                    + " jdbc:mariadb://host:3306/database or jdbc:postgresql://host:5432/database.");
        }
        return isMysql(url) && !isKnown(url)
                ? byMariadbsDriver(url, credentials)
                : new JdbcUrl(url, Secrets.hide(url), credentials);
    }

    /**
     * MySQL's own driver is GPL and so not bundled. If it is on the class path it is used, else MariaDB's. As the own one does, it
     * encrypts where the URL doesn't say otherwise: without that the usual users of MySQL 8 can't log in with their passwords.
     */
    static JdbcUrl byMariadbsDriver(String url, Credentials credentials) {
        String text = "jdbc:mariadb:" + url.substring(MYSQL.length());
        boolean isSaid = TLS_IS_SAID.matcher(text).find();
        return new JdbcUrl(
                isSaid ? text : text + (text.contains("?") ? "&" : "?") + ENCRYPTED, Secrets.hide(url), credentials);
    }

    private static boolean isMysql(String url) {
        return url.regionMatches(true, 0, MYSQL, 0, MYSQL.length());
    }

    /** This URL, or the same without TLS where it was our idea and the server has none. */
    JdbcUrl reachable() {
        if (!text.endsWith(ENCRYPTED) || !shown.regionMatches(true, 0, MYSQL, 0, MYSQL.length())) {
            return this;
        }
        try {
            connect().close();
            return this;
        } catch (LockException e) {
            if (String.valueOf(e.getMessage()).contains("ssl not enabled")) {
                return new JdbcUrl(text.substring(0, text.length() - ENCRYPTED.length() - 1), shown, credentials);
            }
            throw e;
        } catch (SQLException e) {
            throw failure("Closing the connection to " + shown, e);
        }
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
                        "The driver can't use the URL " + shown + ": " + Secrets.hideIn(String.valueOf(e.getMessage()))
                                + ". Write jdbc:mysql://host:3306/database or the like.");
            }
        });
    }

    static LockException failure(String doing, SQLException e) {
        String said = Secrets.hideIn(String.valueOf(e.getMessage()).strip());
        Refusal refusal = Refusal.of(e);
        return new LockException(
                refusal.code(),
                doing + " failed: " + said + (said.endsWith(".") ? " " : ". ") + refusal.advice(),
                List.of(),
                e);
    }
}
