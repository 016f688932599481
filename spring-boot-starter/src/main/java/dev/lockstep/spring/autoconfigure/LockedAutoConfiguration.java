package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.locked.LockedConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Import;

/** Locks around {@link dev.lockstep.spring.Locked} methods. */
@AutoConfiguration(after = LockstepAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "lockstep.enabled", matchIfMissing = true)
@Import(LockedConfiguration.class)
public final class LockedAutoConfiguration {}
