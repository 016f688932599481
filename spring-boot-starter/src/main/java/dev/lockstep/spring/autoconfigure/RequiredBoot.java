package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import org.jspecify.annotations.Nullable;

/** The version of Spring Boot that this starter is for. On an older one most of its parts would be left out without an error. */
final class RequiredBoot {
    private static final int MAJOR = 4;

    private RequiredBoot() {}

    /** Refuses an older version; one that is unknown is accepted. */
    static void check(@Nullable String version) {
        if (version != null && version.matches("[1-9]\\..*") && version.charAt(0) - '0' < MAJOR) {
            throw new LockstepStartException(
                    "lockstep-spring-boot-starter is for Spring Boot " + MAJOR + ", and the application has " + version
                            + ".",
                    "Use Spring Boot " + MAJOR + ", or lockstep-core and a store without the starter.");
        }
    }
}
