package dev.lockstep.jdbc.doctor;

import dev.lockstep.core.doctor.Finding;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Judges a JDBC URL, as far as the driver reports it, by what would replace or redirect a connection. */
public final class UrlRule {
    private static final Pattern RECONNECTS = parameter("autoReconnect(ForPools)?", "true|yes|1");
    private static final Pattern SOCKET_TIMEOUT = parameter("socketTimeout", "0*[1-9]\\d*");
    private static final Pattern BALANCED =
            Pattern.compile("(?i)jdbc:(mysql|mariadb)(\\+srv)?:(loadbalance|load-balance.*?|replication)(\\+srv)?:.*");
    private static final Pattern ANY_HOST = parameter("loadBalanceHosts", "true");
    private static final Pattern STANDBY = parameter("targetServerType", "secondary|slave|preferSecondary|preferSlave");

    private UrlRule() {}

    private static Pattern parameter(String name, String value) {
        return Pattern.compile("(?i).*[?&;(,]\\s*" + name + "\\s*=\\s*(" + value + ")\\b.*");
    }

    public static List<Finding> examine(Connection connection) throws SQLException {
        @Nullable String url = connection.getMetaData().getURL();
        return judge(url == null ? "" : url);
    }

    /** Never repeats the URL, which may hold a password. */
    static List<Finding> judge(String url) {
        List<Finding> findings = new ArrayList<>();
        if (RECONNECTS.matcher(url).matches()) {
            findings.add(Finding.error(
                    "The JDBC URL says autoReconnect=true: the driver replaces a lost connection by a new one without saying so.",
                    "Remove it from the URL: the locks and the settings of the lost connection are gone."));
        }
        if (BALANCED.matcher(url).matches() || ANY_HOST.matcher(url).matches()) {
            findings.add(Finding.error(
                    "The JDBC URL spreads connections over several servers, and locks exclude only on one and the same.",
                    "Name the primary alone, or its address that moves with a failover."));
        }
        if (STANDBY.matcher(url).matches()) {
            findings.add(Finding.error(
                    "The JDBC URL asks for a standby, and locks on a standby have no effect on the primary.",
                    "Write targetServerType=primary."));
        }
        if (SOCKET_TIMEOUT.matcher(url).matches()) {
            findings.add(
                    Finding.warning(
                            "The JDBC URL has a socketTimeout: a longer wait for a lock loses the connection, and all that was locked on it.",
                            "Remove it, or keep it above the longest wait of a request; the store notices dead connections itself."));
        }
        return findings.isEmpty()
                ? List.of(Finding.ok("The JDBC URL " + kind(url) + "leads to one server."))
                : findings;
    }

    private static String kind(String url) {
        String[] parts = url.toLowerCase(Locale.ROOT).split(":", 3);
        return parts.length == 3 ? "(" + parts[0] + ":" + parts[1] + ") " : "";
    }
}
