package dev.lockstep.inventory.engine;

import dev.lockstep.inventory.Outcome;
import java.util.concurrent.CompletableFuture;

/** The future of a submitted request, which also knows whether its outcome is that of an earlier request with the same id. */
final class Submission extends CompletableFuture<Outcome> {
    private volatile boolean repeat;

    void complete(Outcome outcome, boolean ofEarlierRequest) {
        repeat = ofEarlierRequest;
        complete(outcome);
    }

    /** Whether the request had been done before; known once this is complete. */
    boolean isRepeat() {
        return repeat;
    }
}
