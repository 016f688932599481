package dev.lockstep.server.events;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.http.ClientShare;
import dev.lockstep.server.http.Problem;
import java.time.Duration;
import java.util.Set;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpStatus;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.stereotype.Component;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Sinks;

/** The clients that listen to events: this many at a time, each until it goes or the server stops. */
@Component
public class EventStreams implements SmartLifecycle {
    /** Proxies end connections on which nothing is said for a minute. */
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private static final Duration RETRY = Duration.ofSeconds(2);

    private final EventLog log;
    private final ServerProperties.Limits limits;
    private final ClientShare clients;
    private final Sinks.Empty<Void> stopped = Sinks.empty();
    private volatile boolean open = true;

    EventStreams(EventLog log, ServerProperties properties) {
        this.log = log;
        limits = properties.limits();
        clients = new ClientShare(limits.listeners(), limits.perClient());
    }

    /** How many clients listen now. */
    public int listening() {
        return (int) clients.taken();
    }

    /** A place among the clients, from the given event on; it is released when the stream ends. */
    Flux<ServerSentEvent<String>> stream(EventId after, Set<EventType> types, String client) {
        return Flux.defer(() -> {
            enter(client);
            return Flux.merge(
                            events(after, types)
                                    .map(LoggedEvent::forClients), // before the client receives the first byte
                            Flux.just(ServerSentEvent.<String>builder()
                                    .retry(RETRY)
                                    .comment("lockstep")
                                    .build()),
                            Flux.interval(HEARTBEAT).onBackpressureDrop().map(EventStreams::heartbeat))
                    .takeUntilOther(stopped.asMono())
                    .doFinally(end -> clients.giveBack(client, 1));
        });
    }

    private static ServerSentEvent<String> heartbeat(long count) {
        return ServerSentEvent.<String>builder().comment("still here").build();
    }

    private void enter(String client) {
        if (!open) {
            throw Problem.of(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "shutting-down",
                    true,
                    "The server stops. Listen again when it is back.");
        }
        if (!clients.take(client, 1)) {
            throw Problem.of(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "too-many-listeners",
                    true,
                    limits.listeners()
                            + " clients listen to the events already, or as many of yours as one client may have. Try again"
                            + " later, or raise"
                            + " lockstep.server.limits.listeners.");
        }
    }

    private Flux<LoggedEvent> events(EventId after, Set<EventType> types) {
        return Flux.create(
                client -> {
                    Backlog backlog = new Backlog(log, client, types, limits.backlog());
                    Runnable leave = log.join(backlog, after);
                    client.onDispose(leave::run);
                    client.onRequest(more -> backlog.drain());
                },
                FluxSink.OverflowStrategy.ERROR);
    }

    @Override
    public void start() {
        // open from the beginning: the web server starts later
    }

    /** Comes before the web server's own stop, which waits for requests to end: these never would. */
    @Override
    public void stop() {
        open = false;
        stopped.tryEmitEmpty();
    }

    @Override
    public boolean isRunning() {
        return open;
    }
}
