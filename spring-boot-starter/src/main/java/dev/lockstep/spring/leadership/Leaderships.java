package dev.lockstep.spring.leadership;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import dev.lockstep.core.leadership.Leadership;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.SmartLifecycle;

/** The leaderships that the application stands for, from its start to its end. Inject it to read or resign one. */
public final class Leaderships implements SmartLifecycle {
    private final Locks locks;
    private final Kinds kinds;
    private final String owner;
    private final Map<String, String> keys;
    private final ApplicationEventPublisher events;
    private final Map<String, Leadership> standing = new ConcurrentSkipListMap<>();

    /**
     * For these leaderships.
     *
     * @param owner the name of the candidate
     * @param keys the key of each leadership as text, by the name of the leadership
     */
    public Leaderships(
            Locks locks, Kinds kinds, String owner, Map<String, String> keys, ApplicationEventPublisher events) {
        this.locks = locks;
        this.kinds = kinds;
        this.owner = owner;
        this.keys = new TreeMap<>(keys);
        this.events = events;
    }

    /** The leadership of this name; empty if none is configured or the application has not started. */
    public Optional<Leadership> find(String name) {
        return Optional.ofNullable(standing.get(name));
    }

    /** All leaderships by their names. */
    public Map<String, Leadership> all() {
        return new TreeMap<>(standing);
    }

    @Override
    public void start() {
        keys.forEach((name, key) -> standing.computeIfAbsent(name, each -> stand(each, key)));
    }

    private Leadership stand(String name, String key) {
        return locks.leadership(kinds.parse(key))
                .as(owner)
                .whenElected(term -> events.publishEvent(new LeadershipGranted(name, term)))
                .whenStopped(stop -> events.publishEvent(new LeadershipEnded(name, stop)))
                .start();
    }

    @Override
    public void stop() {
        standing.values().forEach(Leadership::close);
        standing.clear();
    }

    @Override
    public boolean isRunning() {
        return !standing.isEmpty();
    }
}
