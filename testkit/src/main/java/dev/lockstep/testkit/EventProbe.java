package dev.lockstep.testkit;

import dev.lockstep.core.LockEvent;
import dev.lockstep.core.LockListener;
import dev.lockstep.projectlock.ProjectLockEvent;
import dev.lockstep.projectlock.ProjectLockListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** A listener that remembers every event, and waits for those that must still come. */
public final class EventProbe implements LockListener, ProjectLockListener {
    private final List<LockEvent> events = new CopyOnWriteArrayList<>();
    private final List<ProjectLockEvent> projectEvents = new CopyOnWriteArrayList<>();

    /** A probe that has heard nothing yet. */
    public EventProbe() {}

    @Override
    public void on(LockEvent event) {
        events.add(event);
    }

    @Override
    public void on(ProjectLockEvent event) {
        projectEvents.add(event);
    }

    /** Everything that came so far of project locks, in order. */
    public List<ProjectLockEvent> projectEvents() {
        return List.copyOf(projectEvents);
    }

    /** The types of {@link #projectEvents}, such as {@code switch-to-fallback}. */
    public List<String> projectEventTypes() {
        return projectEvents.stream().map(ProjectLockEvent::type).toList();
    }

    /** The first event of a project lock of this type, which has come or must come soon. */
    public <E extends ProjectLockEvent> E awaitProject(Class<E> type) {
        Eventually.await(
                () -> projectEvents.stream().anyMatch(type::isInstance),
                () -> "no " + type.getSimpleName() + ". What came: " + projectEvents);
        return projectEvents.stream()
                .filter(type::isInstance)
                .map(type::cast)
                .findFirst()
                .orElseThrow();
    }

    /** Everything that came so far, in order. */
    public List<LockEvent> events() {
        return List.copyOf(events);
    }

    /** What came so far of one type. */
    public <E extends LockEvent> List<E> ofType(Class<E> type) {
        return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    /** The first event of this type, which has come or must come soon. */
    public <E extends LockEvent> E await(Class<E> type) {
        return await(type, event -> true);
    }

    /** The first event of this type that fits, which has come or must come soon. */
    public <E extends LockEvent> E await(Class<E> type, Predicate<? super E> fits) {
        Eventually.await(() -> ofType(type).stream().anyMatch(fits), () -> missing("a fitting", type));
        return ofType(type).stream().filter(fits).findFirst().orElseThrow();
    }

    /** All events of this type, of which at least this many have come or must come soon. */
    public <E extends LockEvent> List<E> awaitCount(Class<E> type, int count) {
        Eventually.await(() -> ofType(type).size() >= count, () -> missing(count + " of", type));
        return ofType(type);
    }

    private String missing(String what, Class<?> type) {
        String came = events.stream().map(event -> "\n  " + event).collect(Collectors.joining());
        return "no " + what + " " + type.getSimpleName() + ". What came: " + (came.isEmpty() ? "nothing" : came);
    }

    /** Forgets what came so far. */
    public void clear() {
        events.clear();
        projectEvents.clear();
    }
}
