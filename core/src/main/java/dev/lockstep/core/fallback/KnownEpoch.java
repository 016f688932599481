package dev.lockstep.core.fallback;

import dev.lockstep.core.spi.Epoch;
import org.jspecify.annotations.Nullable;

/**
 * What a process knows of the epoch.
 *
 * @param asked when it asked the register, and was answered, for the last time
 * @param since when it first knew of this epoch, in nanoseconds: after the answer, so not before the epoch began
 * @param unobjected since when no process has objected to switching back, in nanoseconds
 * @param vain when it asked without an answer, if it was not answered since
 */
record KnownEpoch(
        Epoch epoch,
        ClockReading asked,
        long since,
        long unobjected,
        @Nullable ClockReading vain) {
    static KnownEpoch first(Epoch epoch, ClockReading asked, long now) {
        return new KnownEpoch(epoch, asked, now, now, null);
    }

    /** After another answer. */
    KnownEpoch then(Epoch next, ClockReading askedNow, long now) {
        boolean same = next.number() == epoch.number();
        boolean quiet = same && next.objections() == epoch.objections();
        return new KnownEpoch(next, askedNow, same ? since : now, quiet ? unobjected : now, null);
    }

    /** After no answer. */
    KnownEpoch withoutAnswer(ClockReading askedNow) {
        return new KnownEpoch(epoch, asked, since, unobjected, askedNow);
    }

    boolean isAnswered() {
        return vain == null;
    }
}
