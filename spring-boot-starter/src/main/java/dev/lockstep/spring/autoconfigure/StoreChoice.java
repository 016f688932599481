package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockException;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.spring.LockstepStartException;
import dev.lockstep.spring.StoreDoctor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/** The store that a setting names, and who makes it. */
record StoreChoice(String setting, StoreType type, StoreFactory factory) implements StoreMaking {
    private static final Logger LOG = LoggerFactory.getLogger(StoreChoice.class);
    static final String STORE = "lockstep.store";

    static StoreChoice of(LockstepProperties properties, ObjectProvider<StoreFactory> factories) {
        @Nullable StoreType type = properties.store();
        if (type == null) {
            throw new LockstepStartException(
                    "lockstep.store is not set, so it is not known where locks are kept.",
                    "Write lockstep.store= and one of " + StoreType.choices()
                            + ". Locks in memory exclude nothing outside of this process. Or define a bean of type LockStore,"
                            + " or write lockstep.enabled=false for an application without locks.");
        }
        SettingRules.check(properties);
        StoreSettings.check(type, properties);
        return new StoreChoice(
                STORE,
                type,
                factories.stream()
                        .filter(each -> each.makes(type))
                        .findAny()
                        .orElseThrow(() -> missingJar(STORE, type)));
    }

    static LockstepStartException missingJar(String setting, StoreType type) {
        return new LockstepStartException(
                setting + "=" + type.text() + " needs the jar " + type.artifact() + ", which is not on the class path.",
                "Add the dependency dev.lockstep:" + type.artifact() + " to the build, or choose another " + setting
                        + ".");
    }

    /** The store, after its doctor has looked at it: what would fail at the first lock fails now, with all that is wrong. */
    @Override
    public LockStore open(Kinds kinds) {
        try {
            return CheckedOpening.checked(made(kinds), opened -> examine());
        } catch (LockException e) {
            throw StartFailure.of(e, setting, type.text());
        }
    }

    /** The store before it was examined. */
    LockStore made(Kinds kinds) {
        return factory.open(type, kinds);
    }

    void examine() {
        Diagnosis diagnosis = doctor().examine();
        if (!diagnosis.isHealthy()) {
            throw StartFailure.of(diagnosis, type.text());
        }
        diagnosis.warnings().forEach(each -> LOG.warn("{}={}: {}", setting, type.text(), each));
    }

    @Override
    public StoreDoctor doctor(LockStore opened) {
        return doctor();
    }

    StoreDoctor doctor() {
        StoreDoctor doctor = factory.doctor(type);
        return () -> PropertyWords.in(doctor.examine(), setting);
    }
}
