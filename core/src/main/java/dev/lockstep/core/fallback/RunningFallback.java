package dev.lockstep.core.fallback;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import java.time.Instant;
import java.util.concurrent.ExecutorService;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A pair with its threads: what a {@link FallbackStore} becomes at its first use. */
final class RunningFallback implements EpochListener {
    private static final Logger LOG = LoggerFactory.getLogger(FallbackStore.class);
    private static final int CONFIRMATIONS_PER_TERM = 4;
    private static final int CONFIRMATIONS_WHEN_LOST = 20;
    private static final int PROBES = 4;

    final Stores stores;
    final FallbackRouter router;
    final InFlight inFlight;
    private final SwitchDecision decision;
    private final FallbackOptions options;
    private final LockClock clock;
    private final Consumer<LockEvent> news;
    private final FallbackThreads threads;
    private final ExecutorService background = FallbackThreads.background();

    RunningFallback(Stores stores, EpochRegister register, FallbackOptions options, Consumer<LockEvent> news) {
        this.stores = stores;
        this.options = options;
        this.news = news;
        clock = stores.clock();
        threads = new FallbackThreads(clock);
        inFlight = new InFlight(clock, threads::stir);
        String terms =
                options.terms(stores.name(), stores.at(Epoch.Side.PRIMARY).address());
        EpochClaim claim = new EpochClaim(register, options, terms, clock, this);
        Health health = new Health(stores.at(Epoch.Side.PRIMARY), clock);
        decision = new SwitchDecision(stores, options, claim, health);
        router = new FallbackRouter(stores, options, claim, health, inFlight, background);
    }

    /** Checks what must be right before anything is granted, and starts the threads. */
    RunningFallback start() {
        decision.begin();
        FallbackState state = router.state();
        LOG.info(
                "Locks are on {}, in epoch {} of the pair '{}', {}",
                state.active(),
                state.epoch(),
                options.name(),
                state.quietFor().isZero()
                        ? "from now on"
                        : "at the latest in " + state.quietFor().toMillis() + " ms");
        threads.start(this::confirm, this::probe, this::evict);
        return this;
    }

    private long confirm() {
        router.claim().confirm();
        if (!router.claim().known().isAnswered()) {
            return FallbackThreads.part(options.epochTerm(), CONFIRMATIONS_WHEN_LOST);
        }
        long usual = FallbackThreads.part(options.epochTerm(), CONFIRMATIONS_PER_TERM);
        long quiet = router.claim().quietNanos();
        return quiet == 0 ? usual : Math.min(usual, quiet);
    }

    private long probe() {
        decision.probe();
        return FallbackThreads.part(options.unavailableAfter(), PROBES);
    }

    private long evict() {
        inFlight.callOffBefore(router.claim().known().epoch().number(), stores);
        inFlight.wake();
        return inFlight.hasParked() ? InFlight.LOOK_AGAIN : FallbackThreads.LONGEST_NAP;
    }

    // ---- what becomes of the epoch

    @Override
    public void switched(String reason) {
        FallbackState state = router.state();
        LOG.warn(
                "Locks move to {} in epoch {}: {}. Nothing is granted for up to {} ms, until all earlier leases have expired",
                state.active(),
                state.epoch(),
                reason,
                state.quietFor().toMillis());
        tell(new LockEvent.Switched(now(), state, reason));
    }

    @Override
    public void opened() {
        FallbackState state = router.state();
        LOG.warn("Locks are granted by {} in epoch {}", state.active(), state.epoch());
        tell(new LockEvent.SwitchCompleted(now(), state));
    }

    @Override
    public void secondaryLost(Exception why) {
        FallbackState state = router.state();
        LOG.warn(
                "{} doesn't answer; without it {} can be used for {} ms, and then {}: {}",
                state.secondary(),
                state.active(),
                options.epochTerm().toMillis(),
                options.withoutSecondary(),
                why.getMessage());
        tell(new LockEvent.SecondaryLost(now(), state, String.valueOf(why.getMessage())));
    }

    @Override
    public void secondaryFound() {
        FallbackState state = router.state();
        LOG.warn("{} answers again", state.secondary());
        tell(new LockEvent.SecondaryFound(now(), state));
    }

    private void tell(LockEvent event) {
        threads.stir();
        news.accept(event);
    }

    private Instant now() {
        return Instant.ofEpochMilli(clock.millis());
    }

    @Override
    public void refused(String why) {
        LOG.error(why);
    }

    void close() {
        threads.close();
        router.claim().end(ErrorCode.CLOSED, "The fallback store is closed.");
        try {
            stores.close();
        } finally {
            inFlight.close();
            background.shutdown();
        }
    }
}
