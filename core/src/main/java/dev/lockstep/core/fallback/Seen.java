package dev.lockstep.core.fallback;

import dev.lockstep.core.spi.Epoch;
import org.jspecify.annotations.Nullable;

/**
 * What a process knows of the epoch.
 *
 * @param asked when it asked the register, and was answered, for the last time
 * @param since when it first knew of this epoch, in nanoseconds: after the answer, so not before the epoch began
 * @param unobjected since when nobody has objected to going back, in nanoseconds
 * @param vain when it asked without an answer, if it was not answered since
 */
record Seen(
        Epoch epoch,
        Reading asked,
        long since,
        long unobjected,
        @Nullable Reading vain) {
    static Seen first(Epoch epoch, Reading asked, long now) {
        return new Seen(epoch, asked, now, now, null);
    }

    /** After another answer. */
    Seen then(Epoch next, Reading askedNow, long now) {
        boolean same = next.number() == epoch.number();
        boolean quiet = same && next.objections() == epoch.objections();
        return new Seen(next, askedNow, same ? since : now, quiet ? unobjected : now, null);
    }

    /** After no answer. */
    Seen withoutAnswer(Reading askedNow) {
        return new Seen(epoch, asked, since, unobjected, askedNow);
    }

    boolean isAnswered() {
        return vain == null;
    }
}
