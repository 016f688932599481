package dev.lockstep.spring.actuate;

import dev.lockstep.core.leadership.Leader;
import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.spring.leadership.Leaderships;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** The endpoint {@code leadership}: who leads, and how far this candidate has come. Its delete operation resigns. */
@Endpoint(id = "leadership")
public final class LeadershipEndpoint {
    private final Leaderships leaderships;

    /** Shows these leaderships. */
    public LeadershipEndpoint(Leaderships leaderships) {
        this.leaderships = leaderships;
    }

    /**
     * One leadership.
     *
     * @param leader the leader, as far as the store can see; null if there is none, or it can't be read
     * @param error why the leader can't be read; null if it could
     */
    public record View(
            String key,
            String candidate,
            Leadership.State state,
            @Nullable Leader leader,
            @Nullable String error) {}

    /** All of them by their names. */
    @ReadOperation
    public Map<String, View> all() {
        Map<String, View> views = new TreeMap<>();
        leaderships.all().forEach((name, leadership) -> views.put(name, view(leadership)));
        return views;
    }

    /** One of them; nothing for a name that is not configured. */
    @ReadOperation
    public @Nullable View one(@Selector String name) {
        return leaderships.find(name).map(LeadershipEndpoint::view).orElse(null);
    }

    /** Resigns, if this application leads. Returns the leadership as it is then. */
    @DeleteOperation
    public @Nullable View resign(@Selector String name) {
        leaderships.find(name).ifPresent(Leadership::resign);
        return one(name);
    }

    private static View view(Leadership leadership) {
        try {
            return view(leadership, leadership.leader().orElse(null), null);
        } catch (RuntimeException e) { // the rest is known while the store can't be reached
            return view(leadership, null, String.valueOf(e.getMessage()));
        }
    }

    private static View view(Leadership leadership, @Nullable Leader leader, @Nullable String error) {
        return new View(leadership.key().toString(), leadership.owner(), leadership.state(), leader, error);
    }
}
