package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.actuate.LeadershipEndpoint;
import dev.lockstep.spring.actuate.LocksReport;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image must keep: the scripts for Redis, and what the endpoints show as JSON. */
final class LockstepRuntimeHints implements RuntimeHintsRegistrar {
    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader loader) {
        hints.resources()
                .registerPattern("dev/lockstep/redis/*.lua")
                .registerPattern("dev/lockstep/redis/doctor/*.lua");
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(hints.reflection(), LocksReport.class, LeadershipEndpoint.View.class);
    }
}
