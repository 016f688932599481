package dev.lockstep.server.events;

import org.springframework.http.codec.ServerSentEvent;

/**
 * An event in the log, ready to be sent.
 *
 * @param json made once, however many listen
 */
record LoggedEvent(long number, EventType type, String id, String json) {
    /** What it takes besides its text, about. */
    private static final int OVERHEAD = 150;

    ServerSentEvent<String> forClients() {
        return ServerSentEvent.builder(json).id(id).event(type.wire()).build();
    }

    int bytes() {
        return OVERHEAD + 2 * json.length();
    }
}
