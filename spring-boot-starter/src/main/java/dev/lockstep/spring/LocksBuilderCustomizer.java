package dev.lockstep.spring;

import dev.lockstep.core.LocksBuilder;

/** Changes the locks of an application before they are made. A bean of this type has the last word, after all properties. */
@FunctionalInterface
public interface LocksBuilderCustomizer {
    /** Sets options. */
    void customize(LocksBuilder builder);
}
