package dev.lockstep.server.locks;

import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;

/** A request that waits for its locks. */
final class Waiter {
    private final Ask ask;
    private final Handover handover;
    private final MonoSink<DeskLease> answer;
    private final BiFunction<Throwable, Duration, Throwable> explain;
    private final long since = System.nanoTime();
    private volatile @Nullable CompletableFuture<Lease> asked;
    private volatile boolean left;
    private volatile boolean granted;

    Waiter(Ask ask, Handover handover, MonoSink<DeskLease> answer, BiFunction<Throwable, Duration, Throwable> explain) {
        this.ask = ask;
        this.handover = handover;
        this.answer = answer;
        this.explain = explain;
    }

    /** Asks for the locks; {@code over} is run once, however it ends. */
    void ask(Locks locks, BiPredicate<DeskLease, Handover> keep, Runnable over) {
        CompletableFuture<Lease> asking;
        try {
            asking = locks.acquireAsync(ask.request());
        } catch (RuntimeException | Error e) {
            over.run();
            fail(e);
            return;
        }
        asked = asking;
        if (left) { // the client vanished while the store was asked
            asking.cancel(true);
        }
        CompletableFuture<?> unused = asking.whenComplete((lease, error) -> {
            try {
                if (error == null) {
                    granted(new DeskLease(lease, ask, waited(), LeaseSecret.random()), keep);
                } else if (!(error instanceof CancellationException)) {
                    fail(error);
                }
            } finally {
                over.run();
            }
        });
    }

    private void granted(DeskLease held, BiPredicate<DeskLease, Handover> keep) {
        granted = true;
        if (keep.test(held, handover)) {
            answer.success(held);
        }
    }

    boolean isGranted() {
        return granted;
    }

    String client() {
        return ask.client();
    }

    /** Ends it with an error, unless it has its locks. */
    void fail(Throwable error) {
        if (handover.refuse()) {
            answer.error(explain.apply(error, waited()));
        }
    }

    /** Takes it out of the queue. */
    void leave() {
        left = true;
        CompletableFuture<Lease> asking = asked;
        if (asking != null) {
            asking.cancel(true);
        }
    }

    private Duration waited() {
        return Duration.ofNanos(System.nanoTime() - since);
    }
}
