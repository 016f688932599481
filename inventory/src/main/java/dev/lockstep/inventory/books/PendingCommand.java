package dev.lockstep.inventory.books;

import dev.lockstep.core.Deadline;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A command that is being processed. */
public final class PendingCommand {
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
    public PendingCommand(Command command, List<StockLine> lines, String hash, Duration patience, Deadline deadline) {
        this(command, lines, hash, patience, deadline, null);
    }

    /** The same for a repair, with its ledger as it was read before the row is locked. */
    public PendingCommand(
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

    public Command command() {
        return command;
    }

    public String requestId() {
        return command.requestId();
    }

    public static List<String> requestIds(List<PendingCommand> works) {
        return works.stream().map(PendingCommand::requestId).toList();
    }

    public List<StockLine> lines() {
        return lines;
    }

    /** Sets how long a reservation holds its stock if its order doesn't say so. */
    public PendingCommand heldByDefault(Optional<Duration> time) {
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

    public String hash() {
        return hash;
    }

    public Deadline deadline() {
        return deadline;
    }

    public CompletableFuture<Outcome> answer() {
        return answer;
    }

    /** Whether it has no outcome yet. */
    public boolean isOpen() {
        return !answer.isDone();
    }

    /** The ledger has an earlier request with the same id. */
    void repeats() {
        repeat = true;
    }

    public boolean isRepeat() {
        return repeat;
    }

    /** Whether its turn has come, and it was not withdrawn before. From now on it may be done. */
    public boolean begin() {
        return stage.compareAndSet(Stage.WAITING, Stage.RUNNING);
    }

    /** It waits again, after an attempt that came to nothing. */
    public void requeue() {
        stage.compareAndSet(Stage.RUNNING, Stage.WAITING);
    }

    /** This row was skipped, because another transaction has locked it, and so it was not begun. */
    public void skipped(StockKey row) {
        skipped = row;
        skips++;
    }

    /** How many times a row was skipped. */
    public int skips() {
        return skips;
    }

    /** The row to wait for: the one that was skipped last, or else its first. */
    public StockKey awaited() {
        @Nullable StockKey row = skipped;
        return row == null ? lines.get(0).key() : row;
    }

    /** Completes it, unless it is complete. */
    public void complete(Outcome outcome) {
        answer.complete(outcome);
    }

    /** Completes it as timed out, before anything was done. */
    public void timeOut() {
        complete(new TimedOut(requestId(), patience));
    }

    /** Takes it out of its queue; returns whether it had not begun. */
    public boolean withdraw() {
        return stage.compareAndSet(Stage.WAITING, Stage.WITHDRAWN) || stage.get() == Stage.WITHDRAWN;
    }

    /** The outcome for a caller that stops waiting. */
    public Outcome late() {
        complete(
                withdraw()
                        ? new TimedOut(requestId(), patience)
                        : new Unknown(requestId(), "The database has not responded in time."));
        return answer.join();
    }
}
