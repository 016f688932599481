package dev.lockstep.spring.locked;

import dev.lockstep.core.Lease;
import dev.lockstep.core.scheduling.LockCheck;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/** The leases of the locked methods that are running on this thread, the innermost first. */
final class RunningLeases {
    @SuppressWarnings("ThreadLocalUsage") // one for each application context, of which there are few
    private final ThreadLocal<Deque<Lease>> running = new ThreadLocal<>();

    @Nullable
    @SuppressWarnings("try") // the scope is only opened and closed
    Object during(Lease lease, MethodInvocation call) throws Throwable {
        Deque<Lease> leases = running.get();
        if (leases == null) {
            leases = new ArrayDeque<>();
            running.set(leases);
        }
        leases.push(lease);
        try (LockCheck.Scope scope = LockCheck.locked(lease)) {
            return call.proceed();
        } finally {
            leases.pop();
            if (leases.isEmpty()) {
                running.remove();
            }
        }
    }

    Collection<Lease> all() {
        Deque<Lease> leases = running.get();
        return leases == null ? List.of() : List.copyOf(leases);
    }
}
