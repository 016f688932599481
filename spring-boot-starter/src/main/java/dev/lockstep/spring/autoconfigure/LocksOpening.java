package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.Limits;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockListener;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.LocksBuilderCustomizer;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.spring.locked.DefaultOwner;
import java.util.ArrayList;
import java.util.List;
import org.springframework.core.env.Environment;

/** Makes the locks of an application, and declares its kinds to the store, so that a disagreement shows at the start. */
record LocksOpening(
        LockstepProperties properties, Environment environment, LockStore store, boolean closesStore, Kinds kinds) {
    Locks open(List<LockListener> listeners, List<LocksBuilderCustomizer> customizers) {
        try {
            return opened(listeners, customizers);
        } catch (RuntimeException e) {
            if (closesStore) {
                store.close();
            }
            throw e;
        }
    }

    private Locks opened(List<LockListener> listeners, List<LocksBuilderCustomizer> customizers) {
        SettingRules.check(properties);
        requireDeclared();
        try {
            LocksBuilder builder = configured();
            listeners.forEach(builder::listener);
            customizers.forEach(each -> each.customize(builder));
            store.declare(List.of()); // connects, also where no kinds are declared
            return builder.build();
        } catch (LockException e) {
            throw StartFailure.of(e, StoreChoice.STORE, store.name());
        }
    }

    /** Kinds of the configuration that a bean of the application's takes the place of would be written for nothing. */
    private void requireDeclared() {
        List<KindDefinition> left =
                new ArrayList<>(ConfiguredKinds.of(properties).definitions());
        left.removeAll(kinds.definitions());
        if (!left.isEmpty()) {
            throw new LockstepStartException(
                    "The application has a bean of type Kinds, which lacks what the configuration declares: " + left
                            + ".",
                    "Declare all kinds in the bean, or take the bean away and leave lockstep.kinds and lockstep.kinds-from.");
        }
    }

    private LocksBuilder configured() {
        LockstepProperties.Limits most = properties.limits();
        LocksBuilder builder = Locks.builder(store)
                .kinds(ConfiguredKinds.all(kinds))
                .defaultWait(properties.defaultWait())
                .defaultTerm(properties.term())
                .orderPolicy(properties.orderPolicy())
                .callSites(properties.callSites())
                .limits(new Limits(most.idLength(), most.depth(), most.keys()));
        if (!closesStore) {
            builder.leaveStoreOpen(); // it is a bean of the application's, which is closed next
        }
        if (properties.longestHold() != null) {
            builder.longestHold(properties.longestHold());
        }
        return builder.owner(DefaultOwner.in(environment));
    }
}
