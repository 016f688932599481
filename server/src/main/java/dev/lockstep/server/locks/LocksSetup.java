package dev.lockstep.server.locks;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What depends on the store and on the declared kinds. */
@Configuration(proxyBeanMethods = false)
class LocksSetup {
    /** Rows are made for each kind, or ranks are too small for those that names give. */
    private static final Set<String> NEED_KINDS = Set.of("mysql", "mariadb", "postgresql");

    @Bean
    KeyReader keyReader(Kinds kinds, Locks locks) {
        if (!kinds.definitions().isEmpty()) {
            return new DeclaredKeys(kinds);
        }
        if (NEED_KINDS.contains(locks.storeName())) {
            throw new LockstepStartException(
                    "Locks on " + locks.storeName()
                            + " are rows that are made for each kind, and no kinds are declared.",
                    "Write them under lockstep.kinds, such as lockstep.kinds.user.rank=0.");
        }
        return new OpenKeys();
    }

    @Bean
    RunNote runNote(StoreCalls calls, ServerProperties properties) {
        @Nullable Path data = properties.data();
        return data == null || !calls.inMemory()
                ? RunNote.NONE
                : RunMarker.open(data, properties.limits().longestLease());
    }

    @Bean
    GrantGate grantGate(RunNote note) {
        return new GrantGate(LockClock.system(), note.closedFor());
    }
}
