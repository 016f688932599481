package dev.lockstep.adapters;

import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import org.junit.jupiter.api.Tag;
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
class RegistryOnServersTest extends RegistryContract {
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
}
