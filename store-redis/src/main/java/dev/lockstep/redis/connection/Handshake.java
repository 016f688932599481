package dev.lockstep.redis.connection;

import io.lettuce.core.RedisCredentialsProvider.ImmediateRedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.StaticCredentialsProvider;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/*
 * Two races of Lettuce 7.5
 * ------------------------
 * A handshake with credentials that are not available immediately, which are all that are set by a URL, completes on a thread other than the
 * channel's. That thread hands a connection out before the channel accepts commands ("Currently not connected"), and after a refusal it
 * may report the closed channel ("Connection closed prematurely") instead of what the server said. So credentials are resolved first.
 *
 * A handshake that the server refuses before Lettuce has attached its listener fails with an error that names only the missing handler. So
 * the connection is opened again, to learn what the server says.
 */

/** Opens connections so that one that is handed out accepts commands, and a failed one is reported with the server's reason. */
public final class Handshake {
    /** About one refused handshake in a hundred is reported without its reason. */
    private static final int ATTEMPTS = 5;

    private static final String NO_REASON = "RedisHandshakeHandler not registered";

    private Handshake() {}

    /** Opens a connection with this method of Lettuce's client. */
    public static <C> CompletionStage<C> open(RedisURI uri, Function<RedisURI, ? extends CompletionStage<C>> connect) {
        return resolved(uri).thenCompose(ready -> open(ready, connect, ATTEMPTS));
    }

    private static <C> CompletionStage<C> open(
            RedisURI uri, Function<RedisURI, ? extends CompletionStage<C>> connect, int attempts) {
        CompletableFuture<C> opened = new CompletableFuture<>();
        // Not exceptionallyCompose: the futures of Lettuce know no methods that are younger than Java 8.
        CompletionStage<C> unused = connect.apply(uri).whenComplete((connection, error) -> {
            if (error == null) {
                opened.complete(connection);
            } else {
                opened.completeExceptionally(error);
            }
        });
        return opened.exceptionallyCompose(error -> attempts > 1 && hasNoReason(error)
                ? open(uri, connect, attempts - 1)
                : CompletableFuture.failedStage(error));
    }

    private static boolean hasNoReason(Throwable error) {
        for (Throwable each = error; each != null; each = each.getCause()) {
            if (NO_REASON.equals(each.getMessage())) {
                return true;
            }
        }
        return false;
    }

    /** The address with credentials as the provider has them now; it may have others for the next connection. */
    private static CompletionStage<RedisURI> resolved(RedisURI uri) {
        if (uri.getCredentialsProvider() instanceof ImmediateRedisCredentialsProvider) {
            return CompletableFuture.completedStage(uri);
        }
        return uri.getCredentialsProvider()
                .resolveCredentials()
                .toFuture()
                .thenApply(credentials -> RedisAddresses.copyOf(uri)
                        .withAuthentication(new StaticCredentialsProvider(credentials))
                        .build());
    }
}
