package dev.lockstep.server.locks;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.spring.autoconfigure.LockstepProperties;
import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.stereotype.Component;

/** Refuses to start a server that would promise longer leases than its pair of stores grants. */
@Component
final class FallbackTermRule {
    FallbackTermRule(ServerProperties server, LockstepProperties locks) {
        Duration wanted = server.limits().longestLease();
        Duration granted = locks.fallback().longestTerm();
        if (locks.fallback().store() != null && wanted.compareTo(granted) > 0) {
            throw new LockstepStartException(
                    "lockstep.server.limits.longest-lease is " + text(wanted)
                            + ", and lockstep.fallback.longest-term is " + text(granted) + ".",
                    "Write lockstep.server.limits.longest-lease=" + text(granted)
                            + " or less; or lockstep.fallback.longest-term=" + text(wanted)
                            + " in all processes that use the pair.");
        }
    }

    private static String text(Duration duration) {
        return DurationStyle.SIMPLE.print(duration);
    }
}
