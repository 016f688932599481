package dev.lockstep.inventory;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.engine.Checks;
import dev.lockstep.inventory.engine.DefaultInventory;
import dev.lockstep.inventory.engine.Retention;
import dev.lockstep.inventory.engine.Settings;
import dev.lockstep.inventory.sql.TablePrefix;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Makes an {@link Inventory}. Every option has a default that a shop can start with. */
public final class InventoryBuilder {
    private static final Duration LONGEST_RETENTION = Duration.ofDays(36_500);

    private final DataSource dataSource;
    private Strategy strategy = Strategy.ADAPTIVE;
    private @Nullable Locks locks;
    private Duration patience = Duration.ofSeconds(5);
    private Duration answerWithin = Duration.ofSeconds(10);
    private RetryPolicy retries = RetryPolicy.exponential(Duration.ofMillis(100), 2, Duration.ofMillis(400))
            .withAttempts(4);
    private InventoryLimits limits = InventoryLimits.DEFAULT;
    private @Nullable Duration defaultHold;
    private Duration retention = Duration.ofDays(365);
    private TablePrefix prefix = TablePrefix.NONE;
    private int workers = 8;
    private Duration sweepEvery = Duration.ofSeconds(1);
    private LockClock clock = LockClock.system();
    private final List<InventoryListener> listeners = new ArrayList<>();

    InventoryBuilder(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** How concurrent changes are kept apart; {@link Strategy#ADAPTIVE} by default. For LOCKED, see {@link #lockedBy}. */
    public InventoryBuilder strategy(Strategy chosen) {
        strategy = chosen;
        return this;
    }

    /** Each change works under these locks: {@link Strategy#LOCKED}. They stay open when the inventory is closed. */
    public InventoryBuilder lockedBy(Locks used) {
        locks = used;
        strategy = Strategy.LOCKED;
        return this;
    }

    /** How long a request may wait for its turn and for locks; 5 seconds by default. */
    public InventoryBuilder patience(Duration longest) {
        patience = positive("The patience", longest);
        return this;
    }

    /**
     * How long the database may take to answer before it counts as gone, 10 seconds by default. What was on its way then is looked
     * up on another connection.
     */
    public InventoryBuilder answerWithin(Duration longest) {
        answerWithin = positive("The time for an answer", longest);
        return this;
    }

    /** When to try again after a conflict; by default after 100, 200 and 400 ms, and then no more. */
    public InventoryBuilder retries(RetryPolicy policy) {
        retries = policy;
        return this;
    }

    /** How much it takes on before it refuses. */
    public InventoryBuilder limits(InventoryLimits most) {
        limits = most;
        return this;
    }

    /**
     * How long a reservation holds its stock if its order has no {@link Order#heldFor}; without a limit by default.
     *
     * @throws InvalidRequestException if it is not positive, or longer than 3,650 days
     */
    public InventoryBuilder defaultHold(Duration time) {
        Checks.requireHoldTime(time);
        defaultHold = time;
        return this;
    }

    /**
     * How long {@link Inventory#retain} keeps ledger lines, ended reservations and request ids; 365 days by default. A request id is
     * recognized for this long, so it must be longer than any client retries.
     *
     * @throws InvalidRequestException if it is shorter than a day
     */
    public InventoryBuilder retention(Duration keep) {
        if (keep.compareTo(Retention.SHORTEST) < 0 || keep.compareTo(LONGEST_RETENTION) > 0) {
            throw new InvalidRequestException("The retention must be between " + Retention.SHORTEST.toDays() + " and "
                    + LONGEST_RETENTION.toDays() + " days, but was " + keep
                    + ". A request that a client retries after that long would be done again.");
        }
        retention = keep;
        return this;
    }

    /**
     * The names of the tables begin with this prefix; none by default. Create them with {@link InventorySchema#tablePrefix}.
     *
     * @throws InvalidRequestException if the prefix is not 1 to 20 of a-z, 0-9 and _, with a letter first
     */
    public InventoryBuilder tablePrefix(String used) {
        prefix = TablePrefix.of(used);
        return this;
    }

    /** How many threads work for those who wait; 8 by default. Give no more than the pool has connections. */
    public InventoryBuilder workers(int threads) {
        if (threads < 1 || threads > 1_000) {
            throw new InvalidRequestException("The number of workers is " + threads + ". Give 1 to 1,000.");
        }
        workers = threads;
        return this;
    }

    /** How often to look for reservations whose time has ended; each second by default, never with zero. */
    public InventoryBuilder sweepEvery(Duration period) {
        sweepEvery = period.isZero() ? period : positive("The time between sweeps", period);
        return this;
    }

    /** The clock to wait on. Whether a reservation's time has ended is judged by the database's clock. */
    public InventoryBuilder clock(LockClock used) {
        clock = used;
        return this;
    }

    /** Reports all events to a listener. */
    public InventoryBuilder listener(InventoryListener listener) {
        listeners.add(listener);
        return this;
    }

    private static Duration positive(String what, Duration duration) {
        if (duration.isZero() || duration.isNegative() || duration.compareTo(Duration.ofDays(1)) > 0) {
            throw new InvalidRequestException(what + " is " + duration + ". Give more than zero, and at most a day.");
        }
        return duration;
    }

    /** The inventory. It connects when it is first used. */
    public Inventory build() {
        if (strategy == Strategy.LOCKED && locks == null) {
            throw new InvalidRequestException(
                    "The strategy is LOCKED, and there are no locks. Call lockedBy(Locks) instead.");
        }
        Settings settings = new Settings(
                strategy,
                Optional.ofNullable(locks),
                patience,
                answerWithin,
                retries,
                limits,
                prefix,
                retention,
                Optional.ofNullable(defaultHold),
                workers,
                sweepEvery,
                clock,
                List.copyOf(listeners));
        return DefaultInventory.open(dataSource, settings);
    }
}
