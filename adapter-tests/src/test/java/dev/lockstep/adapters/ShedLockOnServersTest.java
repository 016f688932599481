package dev.lockstep.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.shedlock.LockstepLockProvider;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The same on real servers. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource(Place.class)
class ShedLockOnServersTest extends ShedLockContract {
    @Parameter
    Place place;

    private Place.Opening opening;

    @Override
    LocksBuilder place() throws Exception {
        if (opening == null) {
            opening = place.open();
        }
        return Locks.builder(opening.store());
    }

    @Test
    void onRedisTheLeastTimeIsKeptByTheServerToo() throws Exception {
        assumeTrue(place == Place.REDIS, "a database releases what a process held when that ends");
        try (Locks shortly = place().defaultTerm(Duration.ofSeconds(2)).build()) {
            LockstepLockProvider.on(shortly, Job.KIND)
                    .lock(lockConfig("kept", Duration.ofMinutes(5), Duration.ofSeconds(29)))
                    .orElseThrow()
                    .unlock();
            assertThat(shortly.snapshot().holders())
                    .singleElement()
                    .satisfies(held -> assertThat(held.expiresAt().orElseThrow())
                            .isAfter(held.since().plusSeconds(20)));
        }
    }
}
