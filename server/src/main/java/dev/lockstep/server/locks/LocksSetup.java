package dev.lockstep.server.locks;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.locks.keys.DeclaredKeys;
import dev.lockstep.server.locks.keys.KeyReader;
import dev.lockstep.server.locks.keys.OpenKeys;
import dev.lockstep.server.locks.restart.GrantGate;
import dev.lockstep.server.locks.restart.RunMarker;
import dev.lockstep.server.locks.restart.RunNote;
import dev.lockstep.spring.LocksBuilderCustomizer;
import dev.lockstep.spring.LockstepStartException;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
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
        if (Stream.of(locks.storeName().split("\\+", -1)).anyMatch(NEED_KINDS::contains)) {
            throw new LockstepStartException(
                    "The locks are on " + locks.storeName() + ", which has to know the kinds, and none are declared.",
                    "Write them under lockstep.kinds, such as lockstep.kinds.user.rank=0; or use lockstep.store=redis or"
                            + " memory, where the first key of a kind makes it known.");
        }
        return new OpenKeys();
    }

    /** Clients count on their leases while the server stops, and another server on the same Redis must not grant them again. */
    @Bean
    LocksBuilderCustomizer leasesOutliveTheServer() {
        return LocksBuilder::leaveLeasesToTheirTerms;
    }

    /** Refused before the store records the kinds, which it does forever. */
    @Bean
    LocksBuilderCustomizer serverNamesAreNoKind(Kinds kinds) {
        return builder -> {
            if (kinds.find(NodeClaim.PREFIX).isPresent()) {
                throw new LockstepStartException(
                        "The kind '" + NodeClaim.PREFIX + "' is reserved for the names of servers.",
                        "Declare the kind under another name in lockstep.kinds.");
            }
        };
    }

    /** Down while nothing is granted because the server does not hold its name. */
    @Bean
    HealthIndicator nodeHealthIndicator(GrantGate gate) {
        return () -> gate.withoutName()
                .map(reason -> Health.down().withDetail("reason", reason).build())
                .orElseGet(() -> Health.up().build());
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
