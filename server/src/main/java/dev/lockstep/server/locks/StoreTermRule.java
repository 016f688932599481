package dev.lockstep.server.locks;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.spring.autoconfigure.LockstepProperties;
import dev.lockstep.spring.autoconfigure.StoreType;
import java.time.Duration;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.stereotype.Component;

/** Refuses to start a server that would promise longer leases than its store grants. */
@Component
final class StoreTermRule {
    StoreTermRule(ServerProperties server, LockstepProperties locks) {
        if (locks.store() == StoreType.REDIS) {
            require(server.limits().longestLease(), locks.redis().termLimit(), "Redis", "redis");
        } else if (locks.store() == StoreType.ETCD) {
            require(server.limits().longestLease(), locks.etcd().termLimit(), "etcd", "etcd");
        }
    }

    private static void require(Duration wanted, Duration granted, String name, String group) {
        if (wanted.compareTo(granted) > 0) {
            throw new LockstepStartException(
                    "lockstep.server.limits.longest-lease is " + text(wanted) + ", and the longest term on " + name
                            + " is " + text(granted) + ".",
                    "Write lockstep.server.limits.longest-lease=" + text(granted)
                            + " or less; or lockstep." + group + ".longest-term=" + text(wanted)
                            + " in all processes that use the namespace.");
        }
    }

    private static String text(Duration duration) {
        return DurationStyle.SIMPLE.print(duration);
    }
}
