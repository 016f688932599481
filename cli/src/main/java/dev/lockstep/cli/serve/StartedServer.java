package dev.lockstep.cli.serve;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.server.LockstepServer;
import dev.lockstep.spring.LockstepStartException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** A server that runs in this process. */
public final class StartedServer implements AutoCloseable {
    private static final int FILE_IN_USE = 90_020; // H2's "database may be already in use"

    private final ConfigurableApplicationContext context;

    private StartedServer(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** Starts it; why it can't is one {@link LockException}. */
    public static StartedServer with(Map<String, Object> properties) {
        try {
            return new StartedServer(LockstepServer.start(properties));
        } catch (RuntimeException e) {
            throw explained(e);
        }
    }

    private static RuntimeException explained(RuntimeException e) {
        Optional<LockstepStartException> refused = causes(e, LockstepStartException.class);
        if (causes(e, SQLException.class)
                .filter(sql -> sql.getErrorCode() == FILE_IN_USE)
                .isPresent()) {
            return failure(
                    ErrorCode.STORE_FAILED,
                    "The database of the stock is in use: another server may run on the same data folder. End it, or choose"
                            + " another with --data DIR.",
                    e);
        }
        if (refused.isPresent()) {
            return failure(
                    codeOf(e, refused.get()),
                    inFlags(String.valueOf(refused.get().getMessage())),
                    e);
        }
        return causes(e, LockException.class).map(RuntimeException.class::cast).orElse(e);
    }

    /** What neither a store nor its doctor nor a database has complained of was wrong on the command line. */
    private static ErrorCode codeOf(RuntimeException e, LockstepStartException refused) {
        return refused.storeFault()
                .or(() -> causes(e, LockException.class).map(LockException::code))
                .or(() -> causes(e, SQLException.class).map(sql -> ErrorCode.STORE_FAILED))
                .orElse(ErrorCode.INVALID_REQUEST);
    }

    /** The starter speaks of properties; here they are flags. */
    private static String inFlags(String message) {
        return message.replace("write lockstep.provision-if-missing=true", "add --provision")
                .replace("lockstep.server.token", "LOCKSTEP_TOKEN");
    }

    private static LockException failure(ErrorCode code, String message, Throwable cause) {
        return code == ErrorCode.INVALID_REQUEST
                ? new InvalidRequestException(message)
                : new LockException(code, message, List.of(), cause);
    }

    private static <T> Optional<T> causes(Throwable from, Class<T> type) {
        return Stream.iterate(from, Objects::nonNull, Throwable::getCause)
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst();
    }

    /** The port that it got. */
    public int port() {
        WebServer web = ((WebServerApplicationContext) context).getWebServer();
        return web == null ? 0 : web.getPort();
    }

    /** Stops it in order. */
    @Override
    public void close() {
        context.close();
    }
}
