package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockException;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.StoreDoctor;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** The main store and the database that stands in for it. */
record PairChoice(StoreChoice main, StoreChoice fallback, LockstepProperties properties) implements StoreMaking {
    private static final Logger LOG = LoggerFactory.getLogger(PairChoice.class);
    private static final String FALLBACK = "lockstep.fallback.store";

    static PairChoice of(
            StoreChoice main, LockstepProperties properties, ObjectProvider<DatabaseStores.Fallback> databases) {
        StoreType type = Objects.requireNonNull(properties.fallback().store());
        FallbackSettings.check(main.type(), type, properties);
        DatabaseStores.@Nullable Fallback database = databases.getIfAvailable();
        if (database == null) {
            throw StoreChoice.missingJar(FALLBACK, type);
        }
        return new PairChoice(main, new StoreChoice(FALLBACK, type, database.factory()), properties);
    }

    @Override
    public LockStore open(Kinds kinds) {
        LockStore secondary = fallback.open(kinds);
        return CheckedOpening.handedOn(secondary, () -> pair(main.made(kinds), secondary));
    }

    private LockStore pair(LockStore primary, LockStore secondary) {
        LockstepProperties.Fallback settings = properties.fallback();
        return CheckedOpening.handedOn(primary, () -> {
            examineIfThere(primary);
            return started(FallbackStore.of(primary, secondary)
                    .named(settings.name())
                    .epochTerm(settings.epochTerm())
                    .longestTerm(settings.longestTerm())
                    .unavailableAfter(settings.unavailableAfter())
                    .returnAfter(settings.returnAfter())
                    .withoutSecondary(settings.withoutSecondary()));
        });
    }

    /** An application can start while its main store is unreachable: that is what the fallback is for. */
    private void examineIfThere(LockStore primary) {
        if (isThere(primary)) {
            main.examine();
        }
    }

    private boolean isThere(LockStore primary) {
        try {
            primary.ping();
            return true;
        } catch (LockException e) {
            if (e.code() != ErrorCode.STORE_UNAVAILABLE) {
                throw StartFailure.of(e, main.setting(), main.type().text());
            }
            LOG.warn("lockstep.store={} can't be reached now: {}", main.type().text(), e.getMessage());
            return false;
        }
    }

    private FallbackStore started(FallbackStore pair) {
        try {
            return CheckedOpening.checked(pair, FallbackStore::start);
        } catch (LockException e) {
            throw StartFailure.of(
                    e, FALLBACK, main.type().text() + " with " + fallback.type().text() + " as the fallback");
        }
    }

    @Override
    public StoreDoctor doctor(LockStore opened) {
        return opened instanceof FallbackStore pair
                ? new PairDoctor(pair, main.doctor(), fallback.doctor())
                : main.doctor(); // it was replaced
    }
}
