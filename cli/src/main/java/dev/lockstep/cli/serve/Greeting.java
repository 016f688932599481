package dev.lockstep.cli.serve;

import dev.lockstep.cli.terminal.Terminal;
import java.util.ArrayList;
import java.util.List;

/** What the command says when the server is there: where it is, where things are kept, and what to try. */
public final class Greeting {
    private Greeting() {}

    /** The lines for a terminal. */
    public static List<String> lines(Serving serving, int port, boolean newNamespace, Terminal terminal) {
        String page = serving.listening().page(port);
        boolean hasToken = serving.listening().hasToken();
        List<String> lines = new ArrayList<>();
        lines.add("Lockstep is ready: " + terminal.bold(page));
        lines.add("  locks  " + serving.storing().locksInWords());
        if (serving.storing().keepsConnections()) {
            lines.add("  leases " + serving.storing().leases()
                    + " at a time, each with its own connection; --leases N changes it");
        }
        if (newNamespace) {
            lines.add(
                    "  note   Redis doesn't know this namespace, and grants nothing in it for up to 30 s: leases may have been"
                            + " forgotten. With --create-namespace a new one grants at once.");
        }
        lines.add("  stock  " + serving.storing().stockInWords());
        if (serving.demo()) {
            lines.add("  demo   simulated workers take locks and sell stock; look at the page");
        }
        lines.add("Try, in another terminal:");
        lines.add("  curl -s " + page + "api/locks"
                + (hasToken ? " -H \"Authorization: Bearer $LOCKSTEP_TOKEN\"" : "")
                + " -H 'Content-Type: application/json' -d '{\"keys\":[\"" + key(serving) + "\"],\"owner\":\"me\"}'");
        lines.add("  " + command() + " locks --watch --server " + page);
        lines.add("Ctrl-C ends it.");
        return lines;
    }

    /** As this one was called, which the script of a checkout says. */
    private static String command() {
        return System.getProperty("lockstep.command", "lockstep");
    }

    /** One that can be locked there. */
    private static String key(Serving serving) {
        return serving.kinds().stream()
                        .filter(kind -> kind.parent().isEmpty())
                        .map(kind -> kind.prefix())
                        .findFirst()
                        .orElse("user")
                + ":u1";
    }
}
