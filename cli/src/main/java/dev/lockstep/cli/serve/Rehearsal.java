package dev.lockstep.cli.serve;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;

/** Asks a server once for what its first visitor will ask for. */
public final class Rehearsal {
    private static final List<String> ASKED =
            List.of("", "api/status", "api/locks", "api/locks/graph", "api/inventory");
    private static final String LOCK = "{\"keys\":[\"rehearsal:r1\"],\"leaseMs\":1000}";

    private Rehearsal() {}

    /** At the address of its page. What it answers doesn't matter. */
    public static void of(String page) throws InterruptedException {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try {
            for (String path : ASKED) {
                client.send(HttpRequest.newBuilder(URI.create(page + path)).build(), BodyHandlers.discarding());
            }
            HttpRequest lock = HttpRequest.newBuilder(URI.create(page + "api/locks"))
                    .header("Content-Type", "application/json")
                    .POST(BodyPublishers.ofString(LOCK))
                    .build();
            client.send(lock, BodyHandlers.discarding());
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
