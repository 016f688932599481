package dev.lockstep.inventory.engine;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Locks;
import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryEvent.CalledInTransaction;
import dev.lockstep.inventory.InventoryFigures;
import dev.lockstep.inventory.InventoryListener;
import dev.lockstep.inventory.LedgerChange;
import dev.lockstep.inventory.LedgerEntry;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.GaveUp;
import dev.lockstep.inventory.Outcome.GaveUp.Reason;
import dev.lockstep.inventory.Outcome.Overloaded;
import dev.lockstep.inventory.ReconciliationReport;
import dev.lockstep.inventory.Reservation;
import dev.lockstep.inventory.RetentionReport;
import dev.lockstep.inventory.Shortage;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.Strategy;
import dev.lockstep.inventory.StrategyView;
import dev.lockstep.inventory.books.Database;
import dev.lockstep.inventory.books.PendingCommand;
import dev.lockstep.inventory.sql.TimeLimits;
import java.sql.Connection;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The inventory: admits commands, passes each to its strategy, and ensures that it is completed in time. */
public final class DefaultInventory implements Inventory {
    private static final Duration SHORTEST_WAIT = Duration.ofMillis(20);
    private static final Duration CLOSE_PAUSE = Duration.ofMillis(5);

    private final Settings settings;
    private final Database database;
    private final Intake intake;
    private final InventoryMonitor monitor;
    private final Contention contention;
    private final InDoubtResolver inDoubtResolver;
    private final Workers workers;
    private final Workers slowWorkers;
    private final Workers lookups = new Workers("lockstep-inventory-lookups", 4);
    private final Timer timer;
    private final Workers callbacks = new Workers("lockstep-inventory-callbacks", 4);
    private final SettlementStrategy settlementStrategy;
    private final SettlementStrategy underRowLock;
    private final Reconciler reconciler;
    private final ExpirySweeper expirySweeper;
    private final ChangeFeed changeFeed;
    private final StockQueries queries;
    private final CallerTransaction callerTransaction;
    private final AtomicInteger inFlight = new AtomicInteger();

    /** The futures that {@link #close} waits for: a request leaves before its future is complete. */
    private final Set<Submission> unanswered = ConcurrentHashMap.newKeySet();

    private volatile long usualNanos;
    private volatile boolean closed;

    private DefaultInventory(DataSource dataSource, Settings settings) {
        this.settings = settings;
        callerTransaction = new CallerTransaction(dataSource);
        database = new Database(
                dataSource, TimeLimits.of(settings.patience(), settings.answerWithin()), settings.prefix());
        SoldOut soldOut = new SoldOut(settings.clock());
        timer = new Timer(settings.clock());
        intake = new Intake(settings, database, soldOut, lookups, timer);
        monitor = new InventoryMonitor(settings.clock(), soldOut);
        settings.listeners().forEach(monitor::subscribe);
        contention = new Contention(settings.strategy(), settings.clock(), monitor);
        inDoubtResolver = new InDoubtResolver(database, settings.clock(), settings.patience());
        workers = new Workers("lockstep-inventory", settings.workers());
        slowWorkers = new Workers("lockstep-inventory-slow", Math.max(1, settings.workers() / 2));
        SettlementRunner runner =
                new SettlementRunner(new Settlement(database, settings.clock(), monitor, contention), inDoubtResolver);
        StrategyContext context =
                new StrategyContext(settings, runner, contention, monitor, workers, slowWorkers, timer);
        settlementStrategy = settlementStrategy(context);
        underRowLock = OneByOne.pessimistic(context);
        reconciler = new Reconciler(database, settings.clock(), monitor, Reconciler.USUAL_PAGE);
        queries = new StockQueries(database, monitor);
        changeFeed = new ChangeFeed(database, settings.clock(), settings.patience());
        expirySweeper = new ExpirySweeper(this::submitted, database, monitor);
        expirySweeper.start(settings.sweepEvery(), () -> {
            contention.forgetIdle();
            monitor.forgetOld();
        });
    }

    public static DefaultInventory open(DataSource dataSource, Settings settings) {
        return new DefaultInventory(dataSource, settings);
    }

    private static SettlementStrategy settlementStrategy(StrategyContext context) {
        return switch (context.settings().strategy()) {
            case OPTIMISTIC -> OneByOne.optimistic(context, OneByOne.givingUp(context));
            case PESSIMISTIC -> OneByOne.pessimistic(context);
            case LOCKED -> OneByOne.locked(context);
            case COMBINING -> new Combining(context);
            case GROUP_COMMIT -> GroupCommit.ofAll(context);
            case ADAPTIVE -> new Adaptive(context);
        };
    }

    /** Many reservations of one stock expire at once, and no caller waits that could try again. */
    private SettlementStrategy settlementStrategy(Command command) {
        boolean combines = switch (settings.strategy()) {
            case COMBINING, GROUP_COMMIT, ADAPTIVE -> true;
            case OPTIMISTIC, PESSIMISTIC, LOCKED -> false;
        };
        boolean locks = command instanceof Repair || (command instanceof Expire && !combines);
        return locks ? underRowLock : settlementStrategy;
    }

    @Override
    public Outcome execute(Command command) {
        long since = settings.clock().nanos();
        @Nullable Outcome refusal = enter(command);
        if (refusal != null) {
            return refusal;
        }
        try {
            return leave(command, answer(intake.work(command, deadline(since))), since);
        } catch (RuntimeException | Error e) {
            inFlight.decrementAndGet();
            throw e;
        }
    }

    private Outcome answer(PendingCommand work) {
        if (!work.answer().isDone()) {
            List<Shortage> shortages = intake.shortages(work);
            if (shortages.isEmpty()) {
                settlementStrategy(work.command()).handle(work);
            } else {
                intake.answerShort(work, shortages);
            }
        }
        return OutcomeAwaiter.await(work, settings.answerWithin());
    }

    @Override
    public Outcome reserve(Connection connection, Order order, String requestId) {
        if (closed) {
            return new GaveUp(requestId, Reason.CLOSED, SHORTEST_WAIT);
        }
        PendingCommand work = intake.work(
                new Reserve(order, requestId), deadline(settings.clock().nanos()));
        return work.answer().isDone()
                ? work.answer().join()
                : new JoinedReservation(database, settings.patience()).reserve(connection, work);
    }

    @Override
    public CompletableFuture<Outcome> submit(Command command) {
        return submitted(command);
    }

    private Submission submitted(Command command) {
        long since = settings.clock().nanos();
        Submission answer = new Submission();
        @Nullable Outcome refusal = enter(command);
        if (refusal != null) {
            answer.complete(refusal);
            return answer;
        }
        unanswered.add(answer);
        if (command instanceof Repair) {
            sendOnWorker(command, answer, since);
        } else {
            send(command, answer, since);
        }
        return answer;
    }

    private void sendOnWorker(Command command, Submission answer, long since) {
        try {
            workers.execute(() -> send(command, answer, since));
        } catch (RuntimeException | Error e) { // no thread could be started
            fail(command, e, answer, since);
        }
    }

    private void send(Command command, Submission answer, long since) {
        try {
            var unused = intake.workLater(command, deadline(since))
                    .thenAccept(work -> send(work, answer, since))
                    .whenComplete((sent, error) -> {
                        if (error != null) {
                            fail(command, error, answer, since);
                        }
                    });
        } catch (RuntimeException | Error e) {
            fail(command, e, answer, since);
        }
    }

    private void send(PendingCommand work, Submission answer, long since) {
        if (!work.answer().isDone()) {
            List<Shortage> shortages = intake.shortages(work);
            if (shortages.isEmpty()) {
                settlementStrategy(work.command()).handleLater(work);
            } else {
                intake.answerShortLater(work, shortages);
            }
        }
        var unused = OutcomeAwaiter.later(work, settings.answerWithin())
                .thenAcceptAsync(
                        outcome -> finish(
                                () -> answer.complete(leave(work.command(), outcome, since), work.isRepeat()), answer),
                        callbacks)
                .whenComplete((sent, error) -> {
                    if (error != null && !answer.isDone()) { // no thread for the callback could be started
                        fail(work.command(), error, answer, since);
                    }
                });
    }

    private void fail(Command command, Throwable error, Submission answer, long since) {
        finish(() -> answer.complete(leave(command, new Failed(command.requestId(), error), since)), answer);
    }

    private void finish(Runnable complete, Submission answer) {
        try {
            complete.run();
        } finally {
            unanswered.remove(answer);
        }
    }

    /** The deadline of a command that came in at that time. */
    private Deadline deadline(long since) {
        return Deadline.at(since + settings.patience().toNanos(), settings.clock());
    }

    /** Admits a command, or returns why not. */
    private @Nullable Outcome enter(Command command) {
        if (closed) {
            return refused(command, new GaveUp(command.requestId(), Reason.CLOSED, SHORTEST_WAIT));
        }
        if (callerTransaction.isOpen()) {
            monitor.alert(new CalledInTransaction(monitor.now(), command));
        }
        if (inFlight.incrementAndGet() > settings.limits().inFlight()) {
            inFlight.decrementAndGet();
            Duration usual = Duration.ofNanos(usualNanos);
            return refused(
                    command,
                    new Overloaded(command.requestId(), usual.compareTo(SHORTEST_WAIT) > 0 ? usual : SHORTEST_WAIT));
        }
        return null;
    }

    private Outcome refused(Command command, Outcome outcome) {
        monitor.answered(command, outcome, Duration.ZERO);
        return outcome;
    }

    private Outcome leave(Command command, Outcome outcome, long since) {
        inFlight.decrementAndGet();
        long took = settings.clock().nanos() - since;
        usualNanos = (7 * usualNanos + took) / 8;
        monitor.answered(command, outcome, Duration.ofNanos(took));
        return outcome;
    }

    @Override
    public Optional<Accepted> outcomeOf(Command command) {
        return OutcomeLookup.of(intake.work(command, deadline(settings.clock().nanos())), inDoubtResolver);
    }

    @Override
    public Optional<Reservation> reservation(String id) {
        return queries.reservation(id);
    }

    @Override
    public Optional<Stock> stock(StockKey key) {
        return queries.stock(key);
    }

    @Override
    public List<Stock> stock(Collection<StockKey> keys) {
        return queries.stock(keys);
    }

    @Override
    public List<Stock> stock(String sku) {
        return queries.stock(sku);
    }

    @Override
    public List<LedgerEntry> ledger(StockKey key, long after, int most) {
        return queries.ledger(key, after, most);
    }

    @Override
    public List<LedgerEntry> lastLines(StockKey key, int most) {
        return queries.lastLines(key, most);
    }

    @Override
    public List<LedgerChange> changes(long after, int most) {
        Checks.requireLines(most);
        return changeFeed.after(after, most);
    }

    @Override
    public ReconciliationReport reconcile(Consumer<Discrepancy> found) {
        return reconciler.run(found);
    }

    @Override
    public RetentionReport retain(Consumer<RetentionReport> progress) {
        return new Retention(database, settings.clock(), settings.retention()).run(progress);
    }

    @Override
    public int expireDue() {
        return expirySweeper.expireDue();
    }

    @Override
    public List<StrategyView> strategies() {
        return contention.views();
    }

    @Override
    public void pin(StockKey key, Strategy chosen) {
        Checks.requireKey(key);
        boolean possible = chosen == Strategy.COMBINING || chosen == Strategy.OPTIMISTIC;
        if (settings.strategy() != Strategy.ADAPTIVE || !possible) {
            throw new InvalidRequestException(
                    "A stock can be pinned to COMBINING or OPTIMISTIC, in an inventory that is"
                            + " ADAPTIVE. This one is " + settings.strategy() + ", and " + key + " was to be " + chosen
                            + ".");
        }
        contention.pin(key, chosen);
    }

    @Override
    public void unpin(StockKey key) {
        contention.unpin(key);
    }

    @Override
    public InventoryFigures figures() {
        return monitor.figures(contention, inFlight.get(), intake.refusedFromMemory());
    }

    @Override
    public Locks.Subscription subscribe(InventoryListener listener) {
        return monitor.subscribe(listener);
    }

    /** Waits for the requests in flight, no longer than one may take. */
    private void awaitAnswers() {
        long end = System.nanoTime()
                + settings.patience().plus(settings.answerWithin()).toNanos();
        boolean interrupted = false;
        while (isAnswering() && !interrupted && end - System.nanoTime() > 0) {
            LockSupport.parkNanos(this, CLOSE_PAUSE.toNanos());
            interrupted = Thread.currentThread().isInterrupted();
        }
    }

    /** A future counts until it is complete, and not until the code that depends on it has run: that may call close(). */
    private boolean isAnswering() {
        return inFlight.get() > 0 || !unanswered.stream().allMatch(Submission::isDone);
    }

    @Override
    public void close() {
        closed = true;
        expirySweeper.close();
        awaitAnswers();
        timer.close();
        workers.close();
        slowWorkers.close();
        lookups.close();
        callbacks.close();
        monitor.close();
    }
}
