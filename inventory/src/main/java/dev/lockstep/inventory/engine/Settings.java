package dev.lockstep.inventory.engine;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.inventory.InventoryBuilder;
import dev.lockstep.inventory.InventoryLimits;
import dev.lockstep.inventory.InventoryListener;
import dev.lockstep.inventory.Strategy;
import dev.lockstep.inventory.sql.TablePrefix;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** The options of {@link InventoryBuilder}. */
public record Settings(
        Strategy strategy,
        Optional<Locks> locks,
        Duration patience,
        Duration answerWithin,
        RetryPolicy retries,
        InventoryLimits limits,
        TablePrefix prefix,
        Duration retention,
        Optional<Duration> defaultHold,
        int workers,
        Duration sweepEvery,
        LockClock clock,
        List<InventoryListener> listeners) {}
