package dev.lockstep.projectlock;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.projectlock.LeaseTransactions.Attempted;
import dev.lockstep.projectlock.LeaseTransactions.Attempted.Refused;
import dev.lockstep.projectlock.LeaseTransactions.Attempted.Taken;
import dev.lockstep.projectlock.ProjectLockEvent.Backoff;
import dev.lockstep.projectlock.ProjectLockState.Acquiring;
import dev.lockstep.projectlock.ProjectLockState.BackingOff;
import dev.lockstep.projectlock.ProjectLockState.Requesting;
import dev.lockstep.projectlock.ProjectLockState.Switching;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** One call of acquire: attempts and pauses, until the project is held, the wait has ended or it is cancelled. */
final class Acquire {
    private final Parts parts;
    private final StateCell cell;
    private final AcquireOptions options;
    private final AbortSignal abort = new AbortSignal();
    private final Deadline deadline;
    private boolean toldOfFallback;

    Acquire(Parts parts, StateCell cell, AcquireOptions options) {
        this.parts = parts;
        this.cell = cell;
        this.options = options;
        Deadline longest = Deadline.in(options.maxWait(), parts.clock());
        this.deadline = options.retry()
                .within()
                .map(limit -> longest.orEarlier(Deadline.in(limit, parts.clock())))
                .orElse(longest);
    }

    /** Waits for the project. The state is one of holding afterwards, or faulted. */
    HeldProject run(Requesting first, AbortSignal closing) {
        Thread waiting = Thread.currentThread();
        Runnable wake = () -> {
            abort.abort();
            LockSupport.unpark(waiting);
        };
        options.abort().tell(wake);
        closing.tell(wake);
        try {
            return attempts(first);
        } catch (RuntimeException e) {
            ProjectLockException failure = ProjectLockException.of(e);
            throw parts.reporter().acquireFailed(failure, fault(failure));
        } catch (Error e) {
            fault(ProjectLockException.of(e));
            throw e;
        } finally {
            options.abort().forget(wake);
            closing.forget(wake);
        }
    }

    private int fault(ProjectLockException error) {
        Acquiring last = (Acquiring) cell.now();
        cell.enter(last.failed(error));
        return last.attempt();
    }

    private HeldProject attempts(Requesting requesting) {
        while (true) {
            requireNotCalledOff();
            Outcome outcome = attempt(requesting);
            if (outcome.answer() instanceof Taken taken && isGood(taken.hold())) {
                taken.replaced().ifPresent(parts.reporter()::replaced);
                cell.enter(
                        outcome.asking() instanceof Switching switching
                                ? switching.created(taken.hold().lease())
                                : requesting.granted(taken.hold().lease()));
                return taken.hold();
            }
            requesting = backOff(outcome.asking(), outcome.refusal()).retry();
            cell.enter(requesting);
        }
    }

    /**
     * What an attempt came to.
     *
     * @param asking the state it was made in
     */
    private record Outcome(Acquiring asking, Attempted answer) {
        ProjectLockException refusal() {
            return answer instanceof Refused refused
                    ? refused.why()
                    : new ProjectLockException(
                            ProjectLockFailure.ACQUIRE_TIMEOUT,
                            "The lease had expired before it was returned: this process stood still. Try again.");
        }
    }

    private Outcome attempt(Requesting requesting) {
        try {
            return new Outcome(
                    requesting, onFileThread(() -> parts.transactions().takeWithPlatform(guardWait())));
        } catch (PlatformLockUnavailableException e) {
            requireNotCalledOff();
            Switching switching = cell.enter(requesting.unavailable());
            tellOfFallback(e, requesting.attempt());
            return new Outcome(switching, byFile());
        }
    }

    private Attempted byFile() {
        try {
            return onFileThread(() -> parts.transactions().takeByFile(guardWait()));
        } catch (PlatformLockUnavailableException e) {
            throw new IllegalStateException("The platform's lock was not asked for", e);
        }
    }

    private GuardWait guardWait() {
        return GuardWait.until(deadline, abort, parts.clock());
    }

    /** A way to take the project. */
    @FunctionalInterface
    private interface Take {
        Attempted run() throws PlatformLockUnavailableException;
    }

    /** Asks, and takes a failure that another attempt may cure for a refusal. */
    private Attempted onFileThread(Take take) throws PlatformLockUnavailableException {
        try {
            return parts.files().call(take::run, abort::abort);
        } catch (ProjectLockException e) {
            if (!e.retryable()) {
                throw e;
            }
            return new Refused(e);
        } catch (PlatformLockUnavailableException | RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private void tellOfFallback(PlatformLockUnavailableException why, int attempt) {
        if (!toldOfFallback) {
            toldOfFallback = true;
            parts.reporter()
                    .switching(
                            new ProjectLockException(
                                    ProjectLockFailure.PRIMARY_UNAVAILABLE,
                                    why.getMessage() + ". The lease rests on its file alone.",
                                    why),
                            attempt);
        }
    }

    /** Whether the hold can be handed out; it is released otherwise. */
    private boolean isGood(HeldProject hold) {
        boolean good = !isCalledOff() && !hold.isOver(parts.clock());
        if (!good) {
            parts.giveBack(hold);
        }
        return good;
    }

    private BackingOff backOff(Acquiring asking, ProjectLockException refusal) {
        requireNotCalledOff();
        int attempt = asking.attempt();
        if (deadline.passed() || !options.retry().allowsAfter(attempt)) {
            throw refusal;
        }
        Duration delay = shorter(options.retry().pauseAfter(attempt), deadline.remaining());
        BackingOff pausing = cell.enter(
                asking instanceof Switching switching ? switching.busy(delay) : ((Requesting) asking).busy(delay));
        parts.reporter().backingOff(new Backoff(attempt, delay, refusal));
        pause(delay);
        return pausing;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) <= 0 ? one : other;
    }

    private void pause(Duration delay) {
        LockClock clock = parts.clock();
        Deadline end = Deadline.in(delay, clock);
        while (!end.passed()) {
            requireNotCalledOff();
            clock.park(this, end.remainingNanos());
        }
    }

    private void requireNotCalledOff() {
        if (isCalledOff()) {
            throw calledOff();
        }
    }

    private boolean isCalledOff() {
        return abort.isAborted() || Thread.currentThread().isInterrupted();
    }

    private static ProjectLockException calledOff() {
        return new ProjectLockException(
                ProjectLockFailure.ABORTED, "The wait for the project was aborted, or its thread interrupted.");
    }
}
