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
    private final Pair pair;
    private final Stores stores;
    private final UnderWay underWay;
    private final StoreRequest request;
    private final Executor blocking;
    private volatile @Nullable CompletableFuture<StoreAnswer> asked;

    AsyncRoute(Pair pair, Stores stores, UnderWay underWay, StoreRequest request, Executor blocking) {
        this.pair = pair;
        this.stores = stores;
        this.underWay = underWay;
        this.request = request;
        this.blocking = blocking;
    }

    /** Asks the store whose turn it is, or waits for one. */
    void go() {
        if (isDone()) {
            return;
        }
        try {
            Standing standing = pair.turns().standing();
            if (standing.isGranting()) {
                ask(standing);
            } else if (Pair.mayWait(request)) {
                underWay.park(this);
            } else {
                complete(pair.endWithout(standing, request));
            }
        } catch (RuntimeException | Error e) {
            completeExceptionally(e);
        }
    }

    private void ask(Standing standing) {
        if (stores.isDeclaredAt(standing.epoch().side())) {
            askNow(standing);
        } else { // to declare takes a call, for which nobody may be blocked
            blocking.execute(() -> {
                try {
                    askNow(standing);
                } catch (RuntimeException | Error e) {
                    completeExceptionally(e);
                }
            });
        }
    }

    private void askNow(Standing standing) {
        RoutedRequest routed = pair.route(request, standing);
        CompletableFuture<StoreAnswer> inner;
        try {
            inner = pair.storeFor(standing).acquireAsync(routed, blocking);
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
        underWay.remove(routed);
        EpochGrant late = answer == null ? null : pair.lateGrant(routed, answer);
        if (late != null) {
            blocking.execute(() -> {
                stores.releaseQuietly(late);
                goOn(() -> pair.againOrEnd(request));
            });
        } else {
            goOn(() -> answer == null ? failed(routed, error) : pair.judge(request, routed, answer));
        }
    }

    /** Ends it with what is found, or has it wait for another turn if that is nothing. */
    private void goOn(Supplier<@Nullable StoreAnswer> finding) {
        try {
            StoreAnswer found = finding.get();
            if (found == null) {
                underWay.park(this);
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
            return pair.retryOrThrow(request, routed, known);
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
