package dev.lockstep.core.memory;

import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** The answer to a request without a thread. Once cancelled, the claim leaves the table, and what came too late goes back. */
final class AsyncAnswer extends CompletableFuture<StoreAnswer> {
    final Claim claim;
    private final Consumer<Claim> withdraw;
    private final UnaryOperator<StoreAnswer> check;
    private final Consumer<StoreAnswer> tooLate;

    /** {@code check} throws the error to complete with instead of a result. */
    AsyncAnswer(
            StoreRequest request,
            long since,
            Consumer<Claim> withdraw,
            UnaryOperator<StoreAnswer> check,
            Consumer<StoreAnswer> tooLate) {
        claim = new AsyncClaim(request, since);
        this.withdraw = withdraw;
        this.check = check;
        this.tooLate = tooLate;
    }

    private final class AsyncClaim extends Claim {
        AsyncClaim(StoreRequest request, long since) {
            super(request, since);
        }

        @Override
        void notifyOf(StoreAnswer answer) {
            try {
                throwFailure();
                if (!complete(check.apply(answer))) {
                    tooLate.accept(answer);
                }
            } catch (LockException e) {
                completeExceptionally(e);
            }
        }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled) {
            withdraw.accept(claim);
        }
        return cancelled;
    }
}
