package dev.lockstep.browser;

import java.io.IOException;
import java.net.BindException;

/** What {@code ./lockstep project-lock} runs: the demo page of the project lock, on this machine only. */
public final class DemoServer {
    static final String PAGE = "/lockstep/project-lock-demo/";
    private static final int DEFAULT_PORT = 7171;

    private DemoServer() {}

    public static void main(String[] args) throws IOException {
        int port = args.length == 0 ? DEFAULT_PORT : port(args[0]);
        try {
            PageServer server = PageServer.start(port, PageFiles.ofThisJar());
            System.out.println("The project lock is at " + server.url(PAGE));
            System.out.println("Open it in two tabs, or side by side: " + server.url(PAGE + "side-by-side.html"));
            System.out.println("Ctrl-C ends it.");
        } catch (BindException e) {
            System.err.println("Port " + port + " is in use. Name another one: ./lockstep project-lock " + (port + 1));
            System.exit(1);
        }
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 0 && port <= 65_535) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Told below, with the ones that are out of range.
        }
        System.err.println("'" + text + "' is no port. Write a number from 0 (any free one) to 65535.");
        System.exit(2);
        return 0;
    }
}
