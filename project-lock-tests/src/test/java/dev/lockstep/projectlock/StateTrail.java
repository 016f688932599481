package dev.lockstep.projectlock;

import dev.lockstep.projectlock.ProjectLockState.Requesting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * The states that a lock goes through, noted wherever it touches its files, asks the platform or waits: in every state between
 * two others it does one of these.
 */
final class StateTrail {
    /** An acquire that finds its own lease over ends that first, and does nothing while idle. */
    private static final String UNSEEN_IDLE = "Requesting";

    /** The source's diagram, and what docs/project-lock.md adds to it. */
    private static final Map<String, Set<String>> ARROWS = Map.of(
            "Idle", Set.of("Requesting"),
            "Requesting", Set.of("HoldingPlatform", "Switching", "BackingOff", "Faulted"),
            "Switching", Set.of("HoldingFallback", "BackingOff", "Faulted"),
            "BackingOff", Set.of("Requesting", "Faulted"),
            "HoldingPlatform", Set.of("Renewing", "Releasing"),
            "HoldingFallback", Set.of("Renewing", "Releasing"),
            "Renewing", Set.of("HoldingPlatform", "HoldingFallback", "Releasing"),
            "Releasing", Set.of("Idle", "Faulted", UNSEEN_IDLE),
            "Faulted", Set.of("Requesting", "Idle"));

    private final List<String> states = new ArrayList<>(List.of("Idle"));
    private Supplier<ProjectLockState> state = ProjectLockState.Idle::new;
    private volatile Runnable whenAsked = () -> {};

    void follow(ProjectLock lock) {
        state = lock::state;
    }

    /** Does this whenever the project has been asked for, and before the answer is known. */
    void whenAsked(Runnable task) {
        this.whenAsked = task;
    }

    synchronized void note() {
        String now = state.get().getClass().getSimpleName();
        if (!states.get(states.size() - 1).equals(now)) {
            states.add(now);
        }
    }

    synchronized List<String> states() {
        return List.copyOf(states);
    }

    /** The first step that is not in the diagram. */
    synchronized Optional<String> illegalStep() {
        for (int i = 1; i < states.size(); i++) {
            String from = states.get(i - 1);
            if (!ARROWS.getOrDefault(from, Set.of()).contains(states.get(i))) {
                return Optional.of(from + " -> " + states.get(i));
            }
        }
        return Optional.empty();
    }

    /** The same files, with a note at every transaction. */
    LeaseFiles through(LeaseFiles files) {
        return new LeaseFiles() {
            @Override
            public <T> T transact(GuardWait wait, Transaction<T> transaction) throws IOException, GuardBusyException {
                note();
                try {
                    return files.transact(wait, transaction);
                } finally {
                    if (state.get() instanceof Requesting) {
                        whenAsked.run();
                    }
                }
            }
        };
    }
}
