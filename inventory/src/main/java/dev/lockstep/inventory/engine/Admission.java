package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.books.PendingCommand;
import java.util.function.Consumer;

/** What a submitted request waits for before it gets a worker and a connection. */
@FunctionalInterface
interface Admission {
    /** Nothing. */
    Admission FREE = (work, start) -> start.accept(() -> {});

    /** Calls {@code start}, now or later, with what ends the admission; or answers the request, and doesn't call it. Never blocks. */
    void admit(PendingCommand work, Consumer<Runnable> start);
}
