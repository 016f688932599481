package dev.lockstep.server.load;

import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Semaphore;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/** Many clients of a server, in a process of their own. It answers each order with how often which status came. */
final class Crowd {
    private static final Pattern LEASE = Pattern.compile("\"leaseId\":\"([^\"]+)\"");

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, Integer> counts = new ConcurrentSkipListMap<>();

    private Crowd() {}

    public static void main(String[] args) throws IOException {
        ChildJvm.obey(words -> new Crowd().obey(List.of(words)));
    }

    private String obey(List<String> words) throws InterruptedException {
        URI server = URI.create(words.get(1));
        int count = Integer.parseInt(words.get(3));
        if (words.get(0).equals("reserve")) {
            reserve(server, words.get(2), count, Integer.parseInt(words.get(4)), words.get(5));
        } else {
            takeAndGiveBack(server, words.get(2), count);
        }
        return counts.toString();
    }

    /** So many reservations of one piece, so many of them at a time. */
    private void reserve(URI server, String sku, int count, int atATime, String ids) throws InterruptedException {
        Semaphore turns = new Semaphore(atATime);
        for (int i = 0; i < count; i++) {
            turns.acquire();
            var unused = post(
                            server.resolve("/api/inventory/" + sku + "/TOKYO/reservations"),
                            "{\"quantity\":1,\"requestId\":\"" + ids + i + "\"}")
                    .whenComplete((answer, failure) -> {
                        count(failure == null ? "reserve " + answer.statusCode() : "failed " + failure);
                        turns.release();
                    });
        }
        turns.acquire(atATime);
    }

    /** So many clients that all wait for one lock at once, and give it back as soon as they have it. */
    private void takeAndGiveBack(URI server, String key, int count) {
        String body = "{\"keys\":[\"" + key + "\"],\"waitMs\":600000,\"leaseMs\":300000}";
        List<CompletableFuture<Void>> all = IntStream.range(0, count)
                .mapToObj(i -> post(server.resolve("/api/locks"), body)
                        .thenCompose(taken -> giveBack(server, taken))
                        .exceptionally(failure -> {
                            count("failed " + failure);
                            return null;
                        }))
                .toList();
        all.forEach(CompletableFuture::join);
    }

    private CompletableFuture<Void> giveBack(URI server, HttpResponse<String> taken) {
        count("take " + taken.statusCode());
        Matcher lease = LEASE.matcher(taken.body());
        if (!lease.find()) {
            return CompletableFuture.completedFuture(null);
        }
        HttpRequest request = HttpRequest.newBuilder(server.resolve("/api/locks/" + lease.group(1)))
                .DELETE()
                .build();
        return client.sendAsync(request, BodyHandlers.ofString())
                .thenAccept(given -> count("give back " + given.statusCode()));
    }

    private CompletableFuture<HttpResponse<String>> post(URI path, String body) {
        HttpRequest request = HttpRequest.newBuilder(path)
                .timeout(Duration.ofMinutes(10))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(body))
                .build();
        return client.sendAsync(request, BodyHandlers.ofString());
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }
}
