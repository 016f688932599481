package dev.lockstep.server.locks;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.spring.autoconfigure.LockstepProperties;
import dev.lockstep.spring.autoconfigure.StoreType;
import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.stereotype.Component;

/** Refuses to start a server that would promise longer leases than its Redis store grants. */
@Component
final class RedisTermRule {
    RedisTermRule(ServerProperties server, LockstepProperties locks) {
        Duration wanted = server.limits().longestLease();
        Duration granted = locks.redis().termLimit();
        if (locks.store() == StoreType.REDIS && wanted.compareTo(granted) > 0) {
            throw new LockstepStartException(
                    "lockstep.server.limits.longest-lease is " + text(wanted) + ", and the longest term on Redis is "
                            + text(granted) + ".",
                    "Write lockstep.server.limits.longest-lease=" + text(granted)
                            + " or less; or lockstep.redis.longest-term=" + text(wanted)
                            + " in all processes that use the namespace.");
        }
    }

    private static String text(Duration duration) {
        return DurationStyle.SIMPLE.print(duration);
    }
}
