package samples;

import dev.lockstep.core.LockKind;
import dev.lockstep.core.Ranked;

/** Kinds without and with parents. */
public enum Game implements LockKind {
    @Ranked(1)
    CHARACTER,
    @Ranked(2)
    EQUIPMENT,
    @Ranked(value = 3, prefix = "magic-cube")
    CUBE,
    @Ranked(10)
    USER,
    @Ranked(value = 11, in = "USER")
    ACCOUNT,
    @Ranked(value = 20, in = "ACCOUNT")
    RESOURCE
}
