package dev.lockstep.server.http;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** The tokens that open this server. Those of the file are read again when it changes, so that tokens are replaced without a restart. */
@Component
public final class Tokens {
    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);
    private static final long LOOK_EVERY = TimeUnit.SECONDS.toNanos(1);

    private final List<Token> configured = new ArrayList<>();
    private final @Nullable Path file;
    private final AtomicLong nextLook = new AtomicLong(System.nanoTime() + LOOK_EVERY);
    private volatile List<Token> all;
    private volatile @Nullable FileTime readAt;
    private volatile @Nullable String failure;

    Tokens(ServerProperties properties) {
        String token = properties.token();
        if (token != null && !token.isEmpty()) {
            TokenFile.requireStrong("lockstep.server.token", token);
            configured.add(Token.of(token, new Credential("token", Right.ADMIN)));
        }
        file = properties.tokensFile();
        readAt = changedAt();
        all = read();
    }

    private List<Token> read() {
        List<Token> tokens = new ArrayList<>(configured);
        if (file != null) {
            tokens.addAll(TokenFile.read(file));
        }
        return List.copyOf(tokens);
    }

    /** Whether none are configured, as only a server on loopback may have it. */
    boolean isEmpty() {
        return all.isEmpty();
    }

    Optional<Token> find(String shown) {
        readAgainIfChanged();
        byte[] hash = Token.hash(shown);
        Optional<Token> found = Optional.empty();
        for (Token each : all) { // all of them, so that the time says nothing
            if (each.matches(hash)) {
                found = Optional.of(each);
            }
        }
        return found;
    }

    /** Emits when the token of the request is withdrawn, or has another right or name; never where the server has no tokens. */
    public Mono<Long> withdrawn(ServerWebExchange exchange) {
        Optional<Token> token = Token.of(exchange);
        return token.isEmpty() || file == null
                ? Mono.never()
                : Flux.interval(Duration.ofNanos(LOOK_EVERY))
                        .onBackpressureDrop()
                        .filter(tick -> !opensStill(token.get()))
                        .next();
    }

    private boolean opensStill(Token token) {
        readAgainIfChanged();
        return all.stream().anyMatch(token::isSame);
    }

    private void readAgainIfChanged() {
        long now = System.nanoTime();
        long next = nextLook.get();
        if (file == null || now - next < 0 || !nextLook.compareAndSet(next, now + LOOK_EVERY)) {
            return;
        }
        FileTime changed = changedAt();
        if (changed == null) {
            failed(file + " can't be read");
        } else if (!changed.equals(readAt)) {
            readAgain(changed);
        }
    }

    private void readAgain(FileTime changed) {
        try {
            all = read();
            readAt = changed; // not before: a file that could not be read is read again
            failure = null;
            LOG.info("The tokens were read again: there are {}", all.size());
        } catch (LockstepStartException e) {
            failed(String.valueOf(e.getMessage()));
        }
    }

    /** Logs a failure once, although the file is read again each second. */
    private void failed(String reason) {
        if (!reason.equals(failure)) {
            failure = reason;
            LOG.error("The tokens stay as they were: {}", reason);
        }
    }

    private @Nullable FileTime changedAt() {
        try {
            return file == null ? null : Files.getLastModifiedTime(file);
        } catch (IOException e) {
            return null;
        }
    }
}
