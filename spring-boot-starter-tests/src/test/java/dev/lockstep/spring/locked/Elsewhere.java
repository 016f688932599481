package dev.lockstep.spring.locked;

import dev.lockstep.core.Granted;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.util.concurrent.CompletableFuture;

/** What another thread finds. */
final class Elsewhere {
    private Elsewhere() {}

    static boolean isFree(Locks locks, LockRequest request) {
        return CompletableFuture.supplyAsync(() -> {
                    if (locks.tryAcquire(request) instanceof Granted granted) {
                        granted.lease().close();
                        return true;
                    }
                    return false;
                })
                .join();
    }
}
