package dev.lockstep.cli.locks;

import dev.lockstep.cli.terminal.Json;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The locks that a running server sees. */
public final class ServerSnapshotSource implements SnapshotSource {
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final int MOST = 5_000;
    private static final int UNAUTHORIZED = 401;
    private static final int NO_CONTENT = 204;

    private final URI server;
    private final Optional<String> token;

    /** A redirection is not followed: the token is for this server only. */
    private final HttpClient client = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(PATIENCE)
            .build();

    private ServerSnapshotSource(URI server, Optional<String> token) {
        this.server = server;
        this.token = token;
    }

    /** The server at this URL. Nothing is asked yet. */
    public static ServerSnapshotSource at(String url, Optional<String> token) {
        if (token.isPresent() && !token.get().chars().allMatch(each -> each > ' ' && each < 0x7f)) {
            throw new InvalidRequestException(
                    "The token has characters that no server takes. Set LOCKSTEP_TOKEN to the one that the server was started"
                            + " with, without blanks and line ends.");
        }
        return new ServerSnapshotSource(address(url.strip()), token);
    }

    private static URI address(String url) {
        try {
            URI uri = new URI(url.endsWith("/") ? url : url + "/");
            boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            boolean isPlain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            if (isHttp && isPlain && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // The same as what can be read and is no address of a server; what was written may have a secret.
        }
        throw new InvalidRequestException(
                "--server needs the address of a server and nothing else, such as http://127.0.0.1:7070. A token belongs into"
                        + " the variable LOCKSTEP_TOKEN.");
    }

    @Override
    public LockReport look() {
        return ServerAnswer.read(answer("api/locks?limit=" + MOST), this::foreign);
    }

    @Override
    public Optional<Set<String>> kinds() {
        return Optional.of(ServerAnswer.readKinds(answer("api/status"), this::foreign));
    }

    /** Ends a client's lease. */
    public void revoke(String lease, String reason) {
        HttpRequest.Builder request = to("api/admin/leases/" + URLEncoder.encode(lease, StandardCharsets.UTF_8)
                        + "/revoke")
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(Json.line(Map.of("reason", reason))));
        HttpResponse<String> answer = answer(request);
        if (answer.statusCode() != NO_CONTENT) {
            throw ServerAnswer.trouble(answer, this::foreign);
        }
    }

    private HttpResponse<String> answer(String path) {
        return answer(to(path));
    }

    /** Sends what concerns a lease, and returns the answer whatever its status. */
    LeaseAnswer ask(String path, String method, Optional<Map<String, ?>> body, Duration wait) {
        HttpRequest.Builder request = to(path).timeout(PATIENCE.plus(wait));
        body.ifPresent(sent -> request.header("Content-Type", "application/json"));
        request.method(
                method,
                body.map(sent -> HttpRequest.BodyPublishers.ofString(Json.line(sent)))
                        .orElseGet(HttpRequest.BodyPublishers::noBody));
        return LeaseAnswer.read(answer(request), this::foreign);
    }

    private HttpRequest.Builder to(String path) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(server.resolve(path)).timeout(PATIENCE);
        token.ifPresent(secret -> request.header("Authorization", "Bearer " + secret));
        return request;
    }

    private HttpResponse<String> answer(HttpRequest.Builder request) {
        HttpResponse<String> answer = asked(request);
        if (answer.statusCode() == UNAUTHORIZED) {
            throw failure(ErrorCode.STORE_FAILED, unauthorized(), null);
        }
        return answer;
    }

    private HttpResponse<String> asked(HttpRequest.Builder request) {
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure(ErrorCode.INTERRUPTED, "Interrupted while " + server + " was asked.", e);
        } catch (IOException e) {
            throw failure(
                    ErrorCode.STORE_UNAVAILABLE,
                    "No server answers at " + server
                            + ". Look at host and port, and whether it runs: 'lockstep serve' starts one and says its address.",
                    e);
        }
    }

    private String unauthorized() {
        return token.isPresent()
                ? "The server at " + server
                        + " wants another token. Set LOCKSTEP_TOKEN to the one that it was started with."
                : "The server at " + server
                        + " wants a token. Set the variable LOCKSTEP_TOKEN to the one that it was started with.";
    }

    private LockException foreign(HttpResponse<?> answer) {
        return failure(
                ErrorCode.STORE_FAILED,
                "What answers at " + server + " is no Lockstep server: HTTP " + answer.statusCode() + ", "
                        + answer.headers().firstValue("Content-Type").orElse("no content type")
                        + ". Look at host and port.",
                null);
    }

    private static LockException failure(ErrorCode code, String message, @Nullable Throwable cause) {
        return new LockException(code, message, List.of(), cause);
    }

    @Override
    public String toString() {
        return server.toString();
    }
}
