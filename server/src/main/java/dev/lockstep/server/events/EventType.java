package dev.lockstep.server.events;

import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What an event of the stream can be; on the wire {@code timed-out}, here {@code TIMED_OUT}. */
enum EventType {
    ACQUIRED("locks"),
    REFUSED("locks"),
    TIMED_OUT("locks"),
    ACQUIRE_FAILED("locks"),
    ORDER_VIOLATED("locks"),
    DEADLOCKED("locks"),
    RENEWED("locks"),
    RENEWAL_FAILED("locks"),
    LOST("locks"),
    RELEASED("locks"),
    RELEASE_FAILED("locks"),
    SWITCH_TO_FALLBACK("locks"),
    SWITCH_BACK("locks"),
    SWITCH_COMPLETED("locks"),
    SECONDARY_LOST("locks"),
    SECONDARY_FOUND("locks"),
    ANSWERED("inventory"),
    STRATEGY_CHANGED("inventory"),
    ALERT("inventory"),
    GAP("stream");

    private final String about;
    private final String wire = name().toLowerCase(Locale.ROOT).replace('_', '-');

    EventType(String about) {
        this.about = about;
    }

    /** What it is called on the wire. */
    String wire() {
        return wire;
    }

    /** What it is about: locks, inventory, or the stream itself. */
    String about() {
        return about;
    }

    static Optional<EventType> named(String wire) {
        return Stream.of(values()).filter(type -> type.wire.equals(wire)).findFirst();
    }

    static String allNames() {
        return Stream.of(values()).map(EventType::wire).collect(Collectors.joining(", "));
    }
}
