package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.locked.LockedConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Import;

/** Locks around {@link dev.lockstep.spring.Locked} methods; also with lockstep.enabled=false, so that they don't run without any. */
@AutoConfiguration(after = LockstepAutoConfiguration.class)
@Import(LockedConfiguration.class)
public final class LockedAutoConfiguration {}
