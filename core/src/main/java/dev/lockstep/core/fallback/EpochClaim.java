package dev.lockstep.core.fallback;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.fallback.FallbackState.Grants;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * Why there are never two holders
 * -------------------------------
 * The register keeps the epoch: its number, and which store grants. A process uses a store only while it counts on the epoch:
 * for the epoch term, from before it asked the register, by both of its clocks. A grant counts only if the epoch could still be counted on
 * when it was acquired, and a renewal only if it could when it was begun.
 *
 * Let a switch be committed at time s. A process that read the old epoch had asked before s, so from s + epochTerm on none relies on it.
 * Until then leases may have been granted or renewed, for longestTerm at most, counted from before. So from
 * s + epochTerm + longestTerm on no holder relies on a lease of the old epoch. The new epoch is opened, in the register, by a process
 * that has known of it for that long, and that learned of it after s. Until then no process grants in it.
 *
 * No clocks are compared: each process measures lengths on its own. They may run at speeds that differ by one in a hundred, which is
 * taken off the epoch term here and off the lease's term by its holder.
 */
final class EpochClaim {
    /** One part in this many is left to clocks that run at different speeds. */
    private static final int MARGIN = 100;

    private final EpochRegister register;
    private final FallbackOptions options;
    private final String terms;
    private final LockClock clock;
    private final EpochListener listener;
    private final long safeTerm;
    private final ReentrantLock asking = new ReentrantLock();
    private volatile @Nullable KnownEpoch seen;
    private volatile @Nullable Refusal refusal;
    private volatile String lastFault = "";

    EpochClaim(EpochRegister register, FallbackOptions options, String terms, LockClock clock, EpochListener listener) {
        this.register = register;
        this.options = options;
        this.terms = terms;
        this.clock = clock;
        this.listener = listener;
        long nanos = options.epochTerm().toNanos();
        safeTerm = nanos - nanos / MARGIN;
    }

    // ---- what is known

    /** Learns the epoch for the first time; refuses a register that can't be used, or was set up for something else. */
    void begin() {
        register.requireUsable();
        ClockReading asked = ClockReading.now(clock);
        Epoch found = register.read();
        if (found.terms().isEmpty()) {
            register.replace(found, found.withTerms(terms)); // if another process was faster, its terms are found now
            asked = ClockReading.now(clock);
            found = register.read();
        }
        requireSameTerms(found);
        seen = KnownEpoch.first(found, asked, clock.nanos());
    }

    private void requireSameTerms(Epoch found) {
        if (!found.terms().equals(terms)) {
            throw new InvalidRequestException(
                    "The pair '" + options.name() + "' is used by others with these settings: "
                            + found.terms() + ". Here they are: " + terms
                            + ". Give all processes the same. To change them, end all processes that use the pair, remove its row from the"
                            + " register, and provision it again.");
        }
    }

    KnownEpoch known() {
        KnownEpoch known = seen;
        if (known == null) {
            throw new IllegalStateException("Nothing is known of the epoch yet");
        }
        return known;
    }

    /** Whether locks are granted now; fails if they never will be. */
    EpochView view() {
        Refusal refused = refusal;
        if (refused != null) {
            throw new LockException(refused.code(), refused.message(), List.of(), null);
        }
        return look();
    }

    /** The same for those who only look. */
    EpochView look() {
        KnownEpoch known = known();
        return new EpochView(known.epoch(), grants(known));
    }

    /** Whether what was granted at that view counts now. */
    boolean isStill(EpochView before) {
        return before.lastsUntil(look());
    }

    /** What the register answered, when it last answered with an error or not at all. */
    String lastFault() {
        return lastFault;
    }

    private Grants grants(KnownEpoch known) {
        if (refusal != null) {
            return Grants.STOPPED;
        }
        if (!known.epoch().open()) {
            return Grants.QUIET;
        }
        ClockReading now = ClockReading.now(clock);
        if (known.asked().isWithin(safeTerm, now)) {
            return Grants.YES;
        }
        return goesOnFenced(known, now) ? Grants.FENCED : Grants.STOPPED;
    }

    /** Only after a failed request: a process that stood still may find that the secondary is there, and the epoch over. */
    private boolean goesOnFenced(KnownEpoch known, ClockReading now) {
        ClockReading vain = known.vain();
        return options.withoutSecondary() == WithoutSecondary.KEEP_FENCED
                && known.epoch().side() == Epoch.Side.PRIMARY
                && vain != null
                && !known.asked().isWithin(safeTerm, vain)
                && vain.isWithin(safeTerm, now);
    }

    /** For how long nothing is granted yet in this epoch, as far as this process knows, in nanoseconds; zero when that has ended. */
    long quietNanos() {
        KnownEpoch known = known();
        return known.epoch().open() ? 0 : Math.max(0, options.quiet().toNanos() - (clock.nanos() - known.since()));
    }

    /** Whether no process has objected to switching back to the primary for this long. */
    boolean isUnobjectedFor(long nanos) {
        return clock.nanos() - known().unobjected() >= nanos;
    }

    // ---- what is asked of the register, one call at a time

    /** Asks for the epoch, so that it can be counted on again, and opens it when its time has come. */
    void confirm() {
        asking.lock();
        try {
            ask(asked -> learn(register.read(), asked, "another process switched"));
            if (!known().epoch().open() && quietNanos() == 0 && known().isAnswered()) {
                replace(known().epoch(), known().epoch().opened(), "");
            }
        } finally {
            asking.unlock();
        }
    }

    /** Begins the next epoch after this one, in which the other store grants, unless another process has begun one. Returns whether this process did. */
    boolean switchFrom(Epoch epoch, String reason) {
        return change(epoch, epoch.switched(), reason);
    }

    /** Records that this process can't reach the primary, so that no process returns to it in this epoch. */
    void object(Epoch epoch) {
        change(epoch, epoch.objected(), "");
    }

    private boolean change(Epoch expected, Epoch next, String reason) {
        asking.lock();
        try {
            return replace(expected, next, reason);
        } finally {
            asking.unlock();
        }
    }

    private boolean replace(Epoch expected, Epoch next, String reason) {
        boolean[] replaced = new boolean[1];
        ask(asked -> {
            replaced[0] = register.replace(expected, next);
            if (replaced[0]) {
                learn(next, asked, reason);
            }
        });
        return replaced[0];
    }

    private interface Question {
        void ask(ClockReading asked);
    }

    private void ask(Question question) {
        ClockReading asked = ClockReading.now(clock);
        try {
            question.ask(asked);
        } catch (LockException e) {
            lastFault = String.valueOf(e.getMessage());
            KnownEpoch before = known();
            seen = before.withoutAnswer(asked);
            if (before.isAnswered()) {
                listener.secondaryLost(e);
            }
        }
    }

    private void learn(Epoch epoch, ClockReading asked, String reason) {
        KnownEpoch before = known();
        if (epoch.number() < before.epoch().number() || !epoch.terms().equals(terms)) {
            refuse(epoch, before.epoch());
            return;
        }
        seen = before.then(epoch, asked, clock.nanos());
        if (!before.isAnswered()) {
            listener.secondaryFound();
        }
        if (epoch.number() > before.epoch().number()) {
            listener.switched(reason);
        }
        if (epoch.open()
                && (!before.epoch().open() || epoch.number() > before.epoch().number())) {
            listener.opened();
        }
    }

    /** Grants nothing any more, and says why. */
    void end(ErrorCode code, String why) {
        refusal = new Refusal(code, why);
    }

    private void refuse(Epoch found, Epoch before) {
        if (refusal == null) {
            end(
                    ErrorCode.STORE_FAILED,
                    "The register of the pair '" + options.name() + "' was changed from outside: it shows " + found
                            + " after "
                            + before
                            + ". Nothing is granted any more. End all processes that use the pair, provision its register again, and"
                            + " start them.");
            listener.refused(String.valueOf(refusal));
        }
    }

    /** Why nothing is ever granted again. */
    private record Refusal(ErrorCode code, String message) {
        @Override
        public String toString() {
            return message;
        }
    }
}
