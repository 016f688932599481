package dev.lockstep.core.memory;

import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreRequest;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The answer to a request without a thread. Once cancelled, the claim leaves the table, and what came too late goes back. */
final class AsyncAnswer extends CompletableFuture<StoreAnswer> {
    final Claim claim;
    private final Consumer<Claim> withdraw;
    private final Consumer<StoreAnswer> tooLate;

    AsyncAnswer(StoreRequest request, Consumer<Claim> withdraw, Consumer<StoreAnswer> tooLate) {
        claim = new AsyncClaim(request);
        this.withdraw = withdraw;
        this.tooLate = tooLate;
    }

    private final class AsyncClaim extends Claim {
        AsyncClaim(StoreRequest request) {
            super(request, null);
        }

        @Override
        void told(StoreAnswer answer) {
            if (!complete(answer)) {
                tooLate.accept(answer);
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
