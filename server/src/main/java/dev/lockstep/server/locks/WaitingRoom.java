package dev.lockstep.server.locks;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.http.ClientShare;
import dev.lockstep.server.http.Problem;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;

/** The requests that wait for locks now. */
@Component
final class WaitingRoom {
    private final int most;
    private final ClientShare share;
    private final Set<Waiter> waiters = ConcurrentHashMap.newKeySet();

    WaitingRoom(ServerProperties properties) {
        most = properties.limits().waiters();
        share = new ClientShare(most, properties.limits().perClient());
    }

    long size() {
        return share.taken();
    }

    void enter(Waiter waiter) {
        if (!share.take(waiter.client(), 1)) {
            throw Problem.of(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "too-many-waiters",
                    true,
                    most
                            + " requests wait for locks on this server, which is as many as may, or as many of yours as one client may have."
                            + " Try again later, or raise"
                            + " lockstep.server.limits.waiters.");
        }
        waiters.add(waiter);
    }

    void leave(Waiter waiter) {
        if (waiters.remove(waiter)) {
            share.giveBack(waiter.client(), 1);
        }
    }

    /** Ends all of them with this answer. */
    void clear(Problem answer) {
        waiters.forEach(waiter -> waiter.fail(answer));
    }
}
