package dev.lockstep.core.memory;

import static org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt.forClasses;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.spi.LockPlan;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;

/**
 * Where Lincheck's model checker may switch threads. It switches at every access to memory, and most of those are to values that never
 * change or to lists that only the holder of a shard's lock sees. Without them, the interleavings that matter come up within a hundred
 * tries instead of a thousand.
 */
final class ModelChecking {
    private ModelChecking() {}

    /** An invocation takes seconds where the threads of a busy machine get no processor, and counts as hung after this time. */
    static final long HANGS_AFTER_MILLIS = TimeUnit.MINUTES.toMillis(10);

    static ModelCheckingOptions options() {
        return new ModelCheckingOptions()
                .invocationTimeout$lincheck(HANGS_AFTER_MILLIS)
                .addGuarantee(forClasses(names(
                                LockKey.class,
                                LockMode.class,
                                LockPlan.class,
                                LockRequest.class,
                                Deadline.class,
                                StoreTime.class,
                                Asking.class))
                        .allMethods()
                        .ignore())
                .addGuarantee(forClasses(names(KeyTable.class, HoldList.class, EntryHold.class))
                        .allMethods()
                        .treatAsAtomic());
    }

    private static String[] names(Class<?>... classes) {
        return Stream.of(classes).map(Class::getName).toArray(String[]::new);
    }
}
