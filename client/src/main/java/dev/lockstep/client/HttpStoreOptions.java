package dev.lockstep.client;

import dev.lockstep.core.InvalidRequestException;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/** The options of a {@link HttpLockStore}. */
record HttpStoreOptions(
        URI server,
        String token,
        Duration answerWithin,
        Duration longestWait,
        @Nullable SSLContext tls) {
    HttpStoreOptions {
        require("answerWithin", answerWithin);
        require("longestWait", longestWait);
        if (!token.chars().allMatch(each -> each > ' ' && each < 0x7f)) {
            throw new InvalidRequestException(
                    "The token has blanks or characters that no server accepts. Give the one that the server was started with.");
        }
    }

    /** Without the token, which no log may have. */
    @Override
    public String toString() {
        return "the server at " + server;
    }

    private static void require(String what, Duration time) {
        if (time.isZero() || time.isNegative()) {
            throw new InvalidRequestException(what + " is " + time + ". Give a positive duration.");
        }
    }

    static HttpStoreOptions of(String url) {
        return new HttpStoreOptions(address(url), "", Duration.ofSeconds(5), Duration.ofSeconds(30), null);
    }

    private static URI address(String url) {
        try {
            URI uri = new URI(url.strip().endsWith("/") ? url.strip() : url.strip() + "/");
            boolean http = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
            boolean plain = uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
            if (http && plain && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // The same as an address of something else. What was written may have a secret.
        }
        throw new InvalidRequestException(
                "The address of a server is needed and nothing else, such as http://127.0.0.1:7070. A token is given by token(...).");
    }
}
