package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Finding;
import dev.lockstep.jdbc.sql.Queries;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The servers that the stores support. */
public enum ServerProduct {
    MYSQL("MySQL", "RowLockStore.mysql and Doctor.mysql", 8_000_001, "8.0.1"),
    MARIADB("MariaDB", "RowLockStore.mariadb and Doctor.mariadb", 10_006_000, "10.6"),
    POSTGRESQL("PostgreSQL", "AdvisoryLockStore.postgresql and Doctor.postgresql", 10_000_000, "10");

    /** They speak a protocol that isn't theirs, and some answer to lock statements without locking. */
    private static final List<String> LOOKALIKES = List.of(
            "TiDB", "OceanBase", "Vitess", "SingleStore", "MemSQL", "CockroachDB", "-YB-", "Redshift", "Materialize");

    private static final Pattern NUMBERS = Pattern.compile("(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?");

    private final String text;
    private final String entries;
    private final long oldest;
    private final String oldestText;

    ServerProduct(String text, String entries, long oldest, String oldestText) {
        this.text = text;
        this.entries = entries;
        this.oldest = oldest;
        this.oldestText = oldestText;
    }

    String text() {
        return text;
    }

    public List<Finding> examine(Connection connection) throws SQLException {
        String name = connection.getMetaData().getDatabaseProductName();
        if (Stream.of(values()).noneMatch(product -> product.text.equalsIgnoreCase(name))) {
            return List.of(Finding.error(
                    "The database is " + name + ", and a store for " + text + " was asked for.",
                    "Connect to MySQL, MariaDB or PostgreSQL."));
        }
        return List.of(judge(Queries.text(connection, "SELECT VERSION()")));
    }

    /** Judges by what the server calls its version: Connector/J calls MariaDB MySQL. */
    Finding judge(String version) {
        Optional<String> lookalike = LOOKALIKES.stream()
                .filter(name -> containsIgnoreCase(version, name))
                .findFirst();
        if (lookalike.isPresent()) {
            return Finding.error(
                    "The server says that it is '" + version + "', which is not " + text + " but speaks its language.",
                    "Use " + text + " itself: others may accept the statements that lock without locking.");
        }
        ServerProduct real = of(version);
        if (real != this) {
            return Finding.error(
                    "The server is " + real.text + " (" + version + "), and a store for " + text + " was asked for.",
                    "Use " + real.entries + ", or connect to " + text + ".");
        }
        return number(version) < oldest
                ? Finding.error(text + " " + version + " is too old.", "Use " + text + " " + oldestText + " or later.")
                : Finding.ok(version.startsWith(text) ? version : text + " " + version);
    }

    private static ServerProduct of(String version) {
        if (containsIgnoreCase(version, "MariaDB")) {
            return MARIADB;
        }
        return containsIgnoreCase(version, "PostgreSQL") ? POSTGRESQL : MYSQL;
    }

    /** The first number in the text, after a prefix that MariaDB puts there for old replicas. */
    private static long number(String version) {
        Matcher numbers = NUMBERS.matcher(version.replaceFirst("^5\\.5\\.5-", ""));
        return numbers.find() ? 1_000_000 * part(numbers, 1) + 1_000 * part(numbers, 2) + part(numbers, 3) : 0;
    }

    /** A part that is missing, as on Aurora, counts as the newest. */
    private static long part(Matcher numbers, int group) {
        String digits = numbers.group(group);
        return digits == null ? 999 : Long.parseLong(digits);
    }

    private static boolean containsIgnoreCase(String text, String part) {
        return text.toLowerCase(Locale.ROOT).contains(part.toLowerCase(Locale.ROOT));
    }
}
