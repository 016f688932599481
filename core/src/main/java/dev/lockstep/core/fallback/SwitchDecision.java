package dev.lockstep.core.fallback;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.Epoch.Side;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks at the primary, and switches when it is proven to be unreachable, or to be back for all processes. */
final class SwitchDecision {
    private static final Logger LOG = LoggerFactory.getLogger(FallbackStore.class);

    private final Stores stores;
    private final FallbackOptions options;
    private final EpochClaim claim;
    private final Health health;

    SwitchDecision(Stores stores, FallbackOptions options, EpochClaim claim, Health health) {
        this.stores = stores;
        this.options = options;
        this.claim = claim;
        this.health = health;
    }

    /** Checks what must be right before anything is granted. */
    void begin() {
        claim.begin();
        health.probe();
        if (health.isReachable()) {
            stores.requireTwo();
        }
    }

    void probe() {
        health.probe();
        refuseIfOne();
        Epoch epoch = claim.known().epoch(); // what is decided on this epoch is written only if it is still this one
        if (epoch.side() == Side.PRIMARY) {
            leaveIfAway(epoch);
        } else if (!health.isReachable()) {
            objectInTime(epoch);
        } else {
            returnIfBack(epoch);
        }
    }

    /** At the start the primary may have been unreachable, and its address unknown. */
    private void refuseIfOne() {
        if (health.isReachable()) {
            try {
                stores.requireTwo();
            } catch (InvalidRequestException e) {
                claim.end(e.code(), String.valueOf(e.getMessage()));
            } catch (LockException e) {
                LOG.debug("Where the stores are is asked again at the next probe", e);
            }
        }
    }

    private void leaveIfAway(Epoch epoch) {
        if (health.isAwayFor(options.unavailableAfter())) {
            claim.switchFrom(epoch, stores.at(Side.PRIMARY).name() + " can't be reached: " + health.why());
        }
    }

    /** Often enough for a process that wants to switch back, and not with every probe. */
    private void objectInTime(Epoch epoch) {
        if (claim.isUnobjectedFor(options.epochTerm().toNanos() / 2)) {
            claim.object(epoch);
        }
    }

    private void returnIfBack(Epoch epoch) {
        long unobjected = Math.max(
                options.returnAfter().toNanos(), 2 * options.epochTerm().toNanos());
        boolean settled = epoch.open() && claim.isUnobjectedFor(unobjected);
        if (settled && health.isBackFor(options.returnAfter())) {
            claim.switchFrom(
                    epoch,
                    stores.at(Side.PRIMARY).name() + " has been reachable for everybody for "
                            + options.returnAfter().toMillis() + " ms");
        }
    }
}
