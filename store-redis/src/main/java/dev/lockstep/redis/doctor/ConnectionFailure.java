package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Finding;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says why a server didn't answer, or answered nothing but a refusal. */
public final class ConnectionFailure {
    private static final Pattern REFUSED = Pattern.compile(
            "WRONGPASS|NOAUTH|invalid password|invalid username|without any password", Pattern.CASE_INSENSITIVE);

    private ConnectionFailure() {}

    public static Finding finding(String address, Duration within, Exception error) {
        Throwable root = root(error);
        String said = Finding.reason(root);
        if (REFUSED.matcher(said).find()) {
            return Finding.error(
                    "Redis at " + address + " refuses the user or the password: " + said,
                    "Check both in the URL, redis://user:password@host:port; without a user it is the one named default.");
        }
        if (said.startsWith("LOADING")) {
            return Finding.error(
                    "Redis at " + address + " is still loading its data: " + said,
                    "Wait until it has; until then locks fail, and afterwards none is granted for the longest term.");
        }
        if (said.startsWith("BUSY")) {
            return Finding.error(
                    "Redis at " + address + " is busy with a script that has run for long: " + said,
                    "Find out whose it is (SLOWLOG GET), and end it with SCRIPT KILL; meanwhile no lock is granted or renewed.");
        }
        if (isTimeout(said)) {
            return Finding.error(
                    "Redis at " + address + " didn't answer within " + within.toMillis() + " ms.",
                    "Check that the server runs and isn't busy with a long command or script, that the port is one of Redis, and"
                            + " that URL and server agree on TLS (rediss://).");
        }
        return Finding.error("No connection to Redis at " + address + ": " + said, wayOut(root, said));
    }

    /** By a text, or by the name of an exception that has none. */
    private static boolean isTimeout(String said) {
        return said.toLowerCase(Locale.ROOT).contains("timed out") || said.contains("TimeoutException");
    }

    private static String wayOut(Throwable root, String said) {
        if (root instanceof UnknownHostException) {
            return "Check the name of the host in the URL.";
        }
        if (root instanceof SSLException) {
            return "Check that the server's port speaks TLS, and that its certificate is trusted here.";
        }
        if (said.contains("max number of clients")) {
            return "Raise maxclients of the server, or look for connections that are never closed.";
        }
        if (said.startsWith("DENIED")) {
            return "Give the server a password, or bind it to addresses that others can't reach.";
        }
        return "Check that the server runs, and that host, port and network lead to it.";
    }

    /** What happened at first: Lettuce and Netty wrap it. */
    private static Throwable root(Throwable error) {
        Throwable root = error;
        for (@Nullable Throwable each = error; each != null; each = each.getCause()) {
            root = each.getMessage() == null ? root : each;
        }
        return root;
    }
}
