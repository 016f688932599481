package dev.lockstep.inventory;

import dev.lockstep.core.Deadline;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.inventory.Outcome.Unknown;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A command that is being processed. */
final class PendingCommand {
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
    private final @Nullable Ledger ledger;
    private Optional<Duration> defaultHold = Optional.empty();
    private volatile boolean repeat;
    private int skips;
    private @Nullable StockKey skipped;
    private final CompletableFuture<Outcome> answer = new CompletableFuture<>();
    private final AtomicReference<Stage> stage = new AtomicReference<>(Stage.WAITING);

    /** With lines that are merged, and sorted in the order of the locks. */
    PendingCommand(Command command, List<StockLine> lines, String hash, Duration patience, Deadline deadline) {
        this(command, lines, hash, patience, deadline, null);
    }

    /** The same for a repair, with its ledger as it was read before the row is locked. */
    PendingCommand(
            Command command,
            List<StockLine> lines,
            String hash,
            Duration patience,
            Deadline deadline,
            @Nullable Ledger ledger) {
        this.ledger = ledger;
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

    static List<String> requestIds(List<PendingCommand> works) {
        return works.stream().map(PendingCommand::requestId).toList();
    }

    List<StockLine> lines() {
        return lines;
    }

    /** Sets how long a reservation holds its stock if its order doesn't say so. */
    PendingCommand heldByDefault(Optional<Duration> time) {
        defaultHold = time;
        return this;
    }

    /** How long a reservation holds its stock; empty for no limit. */
    Optional<Duration> heldFor() {
        return command instanceof Reserve reserve ? reserve.order().heldFor().or(() -> defaultHold) : Optional.empty();
    }

    /** Whether it matters what time it is. */
    boolean isTimed() {
        return command.reservation().isPresent() || heldFor().isPresent();
    }

    Optional<Ledger> ledger() {
        return Optional.ofNullable(ledger);
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

    /** Whether it has no outcome yet. */
    boolean isOpen() {
        return !answer.isDone();
    }

    /** The ledger has an earlier request with the same id. */
    void repeats() {
        repeat = true;
    }

    boolean isRepeat() {
        return repeat;
    }

    /** Whether its turn has come, and it was not withdrawn before. From now on it may be done. */
    boolean begin() {
        return stage.compareAndSet(Stage.WAITING, Stage.RUNNING);
    }

    /** It waits again, after an attempt that came to nothing. */
    void requeue() {
        stage.compareAndSet(Stage.RUNNING, Stage.WAITING);
    }

    /** This row was skipped, because another transaction has locked it, and so it was not begun. */
    void skipped(StockKey row) {
        skipped = row;
        skips++;
    }

    /** How many times a row was skipped. */
    int skips() {
        return skips;
    }

    /** The row to wait for: the one that was skipped last, or else its first. */
    StockKey awaited() {
        @Nullable StockKey row = skipped;
        return row == null ? lines.get(0).key() : row;
    }

    /** Completes it, unless it is complete. */
    void complete(Outcome outcome) {
        answer.complete(outcome);
    }

    /** Completes it as timed out, before anything was done. */
    void timeOut() {
        complete(new TimedOut(requestId(), patience));
    }

    /** Takes it out of its queue; returns whether it had not begun. */
    boolean withdraw() {
        return stage.compareAndSet(Stage.WAITING, Stage.WITHDRAWN) || stage.get() == Stage.WITHDRAWN;
    }

    /** The outcome for a caller that stops waiting. */
    Outcome late() {
        complete(
                withdraw()
                        ? new TimedOut(requestId(), patience)
                        : new Unknown(requestId(), "The database has not responded in time."));
        return answer.join();
    }
}
