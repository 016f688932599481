package dev.lockstep.server.locks;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.http.Problem;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** The requests that wait for locks now. */
@Component
final class WaitingRoom {
    private final int most;
    private final AtomicInteger size = new AtomicInteger();
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

    WaitingRoom(ServerProperties properties) {
        most = properties.limits().waiters();
    }

    int size() {
        return size.get();
    }

    void enter(Waiter waiter) {
        if (size.incrementAndGet() > most) {
            size.decrementAndGet();
            throw Problem.of(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "too-many-waiters",
                    true,
                    most + " requests wait for locks on this server, which is as many as may. Try again later, or raise"
                            + " lockstep.server.limits.waiters.");
        }
        waiters.add(waiter);
    }

    void leave(Waiter waiter) {
        if (waiters.remove(waiter)) {
            size.decrementAndGet();
        }
    }

    /** Ends all of them with this answer. */
    void clear(Problem answer) {
        waiters.forEach(waiter -> waiter.fail(answer));
    }
}
