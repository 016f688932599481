package dev.lockstep.core.fallback;

import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The way of a request that blocks no thread: to the store whose turn it is, and to the other one when that changes. */
final class AsyncRoute extends CompletableFuture<StoreAnswer> {
    private final FallbackRouter router;
    private final Stores stores;
    private final InFlight inFlight;
    private final StoreRequest request;
    private final Executor blocking;
    private volatile @Nullable CompletableFuture<StoreAnswer> asked;

    AsyncRoute(FallbackRouter router, Stores stores, InFlight inFlight, StoreRequest request, Executor blocking) {
        this.router = router;
        this.stores = stores;
        this.inFlight = inFlight;
        this.request = request;
        this.blocking = blocking;
    }

    /** Asks the store whose turn it is, or waits for one. */
    void go() {
        if (isDone()) {
            return;
        }
        try {
            EpochView view = router.claim().view();
            if (view.isGranting()) {
                ask(view);
            } else if (FallbackRouter.mayWait(request)) {
                inFlight.park(this);
            } else {
                complete(router.endWithout(view, request));
            }
        } catch (RuntimeException | Error e) {
            completeExceptionally(e);
        }
    }

    private void ask(EpochView view) {
        if (stores.isDeclaredAt(view.epoch().side())) {
            askNow(view);
        } else { // to declare takes a call, for which no request may be blocked
            blocking.execute(() -> {
                try {
                    askNow(view);
                } catch (RuntimeException | Error e) {
                    completeExceptionally(e);
                }
            });
        }
    }

    private void askNow(EpochView view) {
        RoutedRequest routed = router.route(request, view);
        CompletableFuture<StoreAnswer> inner;
        try {
            inner = router.storeFor(view).acquireAsync(routed, blocking);
        } catch (RuntimeException | Error e) {
            inner = CompletableFuture.failedFuture(e);
        }
        asked = inner;
        CompletableFuture<?> unused = inner.whenComplete((answer, error) -> answered(routed, answer, error));
        if (isCancelled()) {
            inner.cancel(true);
        }
    }

    private void answered(RoutedRequest routed, @Nullable StoreAnswer answer, @Nullable Throwable error) {
        inFlight.remove(routed);
        EpochGrant late = answer == null ? null : router.lateGrant(routed, answer);
        if (late != null) {
            try {
                blocking.execute(() -> {
                    stores.releaseQuietly(late);
                    goOn(() -> router.againOrEnd(request));
                });
            } catch (RuntimeException | Error e) { // no thread could be started; the grant ends with its term
                completeExceptionally(e);
            }
        } else {
            goOn(() -> answer == null ? failed(routed, error) : router.judge(request, routed, answer));
        }
    }

    /** Ends it with what is found, or has it wait for another turn if that is nothing. */
    private void goOn(Supplier<@Nullable StoreAnswer> finding) {
        try {
            StoreAnswer found = finding.get();
            if (found == null) {
                inFlight.park(this);
            } else if (!complete(found) && found instanceof EpochGrant unwanted) {
                blocking.execute(() -> stores.releaseQuietly(unwanted));
            }
        } catch (RuntimeException | Error e) {
            completeExceptionally(e);
        }
    }

    private @Nullable StoreAnswer failed(RoutedRequest routed, @Nullable Throwable error) {
        Throwable cause = error instanceof CompletionException && error.getCause() != null ? error.getCause() : error;
        if (cause instanceof LockException known) {
            return router.retryOrThrow(request, routed, known);
        }
        throw new CompletionException(cause);
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        CompletableFuture<StoreAnswer> inner = asked;
        if (cancelled && inner != null) {
            inner.cancel(mayInterruptIfRunning);
        }
        return cancelled;
    }
}
