package dev.lockstep.server.events;

import dev.lockstep.server.http.ClientShare;
import dev.lockstep.server.http.Problem;
import dev.lockstep.server.http.Tokens;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;

/** What happens on this server, as server-sent events. */
@RestController
final class EventsController {
    private final EventStreams streams;
    private final Tokens tokens;

    EventsController(EventStreams streams, Tokens tokens) {
        this.streams = streams;
        this.tokens = tokens;
    }

    @GetMapping(path = "/api/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<ServerSentEvent<String>> events(
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastSeen,
            @RequestParam(name = "lastEventId", required = false) @Nullable String from,
            @RequestParam(name = "types", required = false) @Nullable String types,
            ServerWebExchange exchange) {
        return streams.stream(
                        EventId.of(lastSeen == null ? from : lastSeen), types(types), ClientShare.client(exchange))
                .takeUntilOther(tokens.withdrawn(exchange));
    }

    private static Set<EventType> types(@Nullable String names) {
        Set<EventType> types = EnumSet.noneOf(EventType.class);
        if (names == null || names.isEmpty()) {
            return EnumSet.allOf(EventType.class);
        }
        for (String name : names.split(",", -1)) {
            types.add(EventType.named(name.strip())
                    .orElseThrow(() -> Problem.invalid(
                            "types",
                            "There is no event type '" + name + "'. Give some of these, with commas: "
                                    + EventType.allNames() + ".")));
        }
        return types;
    }
}
