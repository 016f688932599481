package dev.lockstep.core.fallback;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.Epoch.Side;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the primary, and switches when it is proven to be away, or to be back for everybody. */
final class Switching {
    private static final Logger LOG = LoggerFactory.getLogger(FallbackStore.class);

    private final Stores stores;
    private final Options options;
    private final Turns turns;
    private final Health health;

    Switching(Stores stores, Options options, Turns turns, Health health) {
        this.stores = stores;
        this.options = options;
        this.turns = turns;
        this.health = health;
    }

    /** Checks what must be right before anything is granted. */
    void begin() {
        turns.begin();
        health.probe();
        if (health.isReachable()) {
            stores.requireTwo();
        }
    }

    void probe() {
        health.probe();
        refuseIfOne();
        if (turns.seen().epoch().side() == Side.PRIMARY) {
            leaveIfAway();
        } else if (!health.isReachable()) {
            objectInTime();
        } else {
            returnIfBack();
        }
    }

    /** At the start the primary may have been away, and nobody could tell where it is. */
    private void refuseIfOne() {
        if (health.isReachable()) {
            try {
                stores.requireTwo();
            } catch (InvalidRequestException e) {
                turns.end(e.code(), String.valueOf(e.getMessage()));
            } catch (LockException e) {
                LOG.debug("Where the stores are is asked again at the next probe", e);
            }
        }
    }

    private void leaveIfAway() {
        if (health.isAwayFor(options.unavailableAfter())) {
            turns.switchOver(stores.at(Side.PRIMARY).name() + " can't be reached: " + health.why());
        }
    }

    /** Often enough that whoever wants to go back hears of it, and not with every probe. */
    private void objectInTime() {
        if (turns.isUnobjectedFor(options.epochTerm().toNanos() / 2)) {
            turns.object();
        }
    }

    private void returnIfBack() {
        long unobjected = Math.max(
                options.returnAfter().toNanos(), 2 * options.epochTerm().toNanos());
        boolean settled = turns.seen().epoch().open() && turns.isUnobjectedFor(unobjected);
        if (settled && health.isBackFor(options.returnAfter())) {
            turns.switchOver(stores.at(Side.PRIMARY).name() + " has been reachable for everybody for "
                    + options.returnAfter().toMillis() + " ms");
        }
    }
}
