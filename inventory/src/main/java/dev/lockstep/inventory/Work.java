package dev.lockstep.inventory;

import dev.lockstep.core.Deadline;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.inventory.Outcome.Unknown;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/** A command on its way to its outcome. */
final class Work {
    private enum Stage {
        WAITING,
        RUNNING,
        WITHDRAWN
    }

    private final Command command;
    private final List<StockLine> lines;
    private final String hash;
    private final Duration patience;
    private final Deadline deadline;
    private final CompletableFuture<Outcome> answer = new CompletableFuture<>();
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

    /** With lines that are merged, and sorted in the order of the locks. */
    Work(Command command, List<StockLine> lines, String hash, Duration patience, Deadline deadline) {
        this.command = command;
        this.lines = lines;
        this.hash = hash;
        this.patience = patience;
        this.deadline = deadline;
    }

    Command command() {
        return command;
    }

    String requestId() {
        return command.requestId();
    }

    List<StockLine> lines() {
        return lines;
    }

    /** Whether it matters what time it is. */
    boolean isTimed() {
        return command.reservation().isPresent()
                || (command instanceof Reserve reserve
                        && reserve.order().heldFor().isPresent());
    }

    String hash() {
        return hash;
    }

    Deadline deadline() {
        return deadline;
    }

    CompletableFuture<Outcome> answer() {
        return answer;
    }

    /** Whether it has no answer yet. */
    boolean isOpen() {
        return !answer.isDone();
    }

    /** Whether its turn has come, and it was not withdrawn before. From now on it may be done. */
    boolean begin() {
        return stage.compareAndSet(Stage.WAITING, Stage.RUNNING);
    }

    /** It waits again, after an attempt that came to nothing. */
    void requeue() {
        stage.compareAndSet(Stage.RUNNING, Stage.WAITING);
    }

    /** Answers it, unless it was answered before. */
    void complete(Outcome outcome) {
        answer.complete(outcome);
    }

    /** Answers that its time is over before anything was done. */
    void timeOut() {
        complete(new TimedOut(requestId(), patience));
    }

    /** Takes it out of its queue; answers whether it had not begun. */
    boolean withdraw() {
        return stage.compareAndSet(Stage.WAITING, Stage.WITHDRAWN) || stage.get() == Stage.WITHDRAWN;
    }

    /** The answer for someone who won't wait any longer. */
    Outcome late() {
        complete(
                withdraw()
                        ? new TimedOut(requestId(), patience)
                        : new Unknown(requestId(), "The database has not answered in time."));
        return answer.join();
    }
}
