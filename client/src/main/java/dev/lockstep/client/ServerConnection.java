package dev.lockstep.client;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
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
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** Sends requests to a server. A redirection is not followed: the token is for this server only. */
final class ServerConnection {
    private final HttpStoreOptions options;
    private final HttpClient client;

    ServerConnection(HttpStoreOptions options) {
        this.options = options;
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1) // a closed connection gives up one wait, and not others with it
                .followRedirects(HttpClient.Redirect.NEVER)
                .connectTimeout(options.answerWithin());
        if (options.tls() != null) {
            builder.sslContext(options.tls());
        }
        client = builder.build();
    }

    URI server() {
        return options.server();
    }

    CompletableFuture<Reply> get(String path) {
        return send(to(path, Duration.ZERO).GET());
    }

    CompletableFuture<Reply> delete(String path) {
        return send(to(path, Duration.ZERO).DELETE());
    }

    /** Sends an object to a server that may wait this long before it responds. */
    CompletableFuture<Reply> post(String path, Map<String, ?> body, Duration wait) {
        return send(to(path, wait)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(JsonWriter.object(body))));
    }

    private HttpRequest.Builder to(String path, Duration wait) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server().resolve(path))
                .timeout(options.answerWithin().plus(wait));
        if (!options.token().isEmpty()) {
            request.header("Authorization", "Bearer " + options.token());
        }
        return request;
    }

    private CompletableFuture<Reply> send(HttpRequest.Builder request) {
        CompletableFuture<HttpResponse<String>> sent = client.sendAsync(request.build(), BodyHandlers.ofString());
        CompletableFuture<Reply> reply = sent.thenApply(this::read);
        CompletableFuture<?> unused = reply.whenComplete((read, error) -> {
            if (reply.isCancelled()) {
                sent.cancel(true); // closes the connection, by which the server sees it
            }
        });
        return reply;
    }

    private Reply read(HttpResponse<String> response) {
        try {
            String body = response.body().isBlank() ? "{}" : response.body();
            return new Reply(server(), response.statusCode(), JsonReader.object(body));
        } catch (IllegalArgumentException e) {
            return new Reply(server(), response.statusCode(), Map.of());
        }
    }

    /**
     * Waits for a reply. An interrupt or a cancel closes the connection.
     *
     * @throws IOException if there was none; the server may have done what it was asked
     */
    Reply await(CompletableFuture<Reply> reply) throws IOException, InterruptedException {
        try {
            return reply.get();
        } catch (InterruptedException e) {
            reply.cancel(true);
            throw e;
        } catch (CancellationException e) {
            throw new IOException("The wait was cancelled", e);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        }
    }

    /** The same for what must not be given up by an interrupt; the thread stays interrupted. */
    Reply complete(CompletableFuture<Reply> reply) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return reply.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    LockException unreachable(@Nullable Throwable cause) {
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                "No server responds at " + server() + ". Check host and port, and whether it runs.",
                List.of(),
                cause);
    }
}
