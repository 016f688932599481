package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Refuses settings of a pair that can't be meant. */
final class FallbackSettings {
    private static final Duration SHORTEST = Duration.ofMillis(10);
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final int LONGEST_NAME = 64;

    /** What there is when nothing is written. */
    static final LockstepProperties.Fallback NONE = new Binder(new MapConfigurationPropertySource())
            .bindOrCreate("none", Bindable.of(LockstepProperties.Fallback.class));

    private final LockstepProperties properties;
    private final LockstepProperties.Fallback fallback;

    private FallbackSettings(LockstepProperties properties) {
        this.properties = properties;
        fallback = properties.fallback();
    }

    static boolean isDatabase(StoreType type) {
        return type == StoreType.MYSQL || type == StoreType.MARIADB || type == StoreType.POSTGRESQL;
    }

    /** A setting of the fallback shows that one is expected. */
    static StoreMaking refuseUnused(LockstepProperties properties, StoreMaking single) {
        if (!properties.fallback().equals(NONE)) {
            throw new LockstepStartException(
                    "There are settings under lockstep.fallback, and lockstep.fallback.store is not set, so there is no fallback.",
                    "Write lockstep.fallback.store= and one of mysql, mariadb, postgresql; or take lockstep.fallback away.");
        }
        return single;
    }

    static void check(StoreType main, StoreType secondary, LockstepProperties properties) {
        FallbackSettings settings = new FallbackSettings(properties);
        requireDatabase(secondary);
        settings.requireName();
        settings.requireTime("epoch-term", settings.fallback.epochTerm(), "10s");
        settings.requireTime("longest-term", settings.fallback.longestTerm(), "30s");
        settings.requireTime("unavailable-after", settings.fallback.unavailableAfter(), "5s");
        settings.requireTime("return-after", settings.fallback.returnAfter(), "1m");
        settings.requireTerms(main);
    }

    private static void requireDatabase(StoreType secondary) {
        if (!isDatabase(secondary)) {
            throw new LockstepStartException(
                    "lockstep.fallback.store is " + secondary.text()
                            + ", which can't keep the register that says which store's turn it is.",
                    "Write one of mysql, mariadb, postgresql.");
        }
    }

    private void requireName() {
        if (fallback.name().isBlank() || fallback.name().length() > LONGEST_NAME) {
            throw new LockstepStartException(
                    "lockstep.fallback.name is '" + fallback.name() + "'.",
                    "Write a name of 1 to " + LONGEST_NAME + " characters, or leave it out.");
        }
    }

    private void requireTime(String setting, Duration value, String example) {
        if (value.compareTo(SHORTEST) < 0 || value.compareTo(LONGEST) > 0) {
            throw new LockstepStartException(
                    "lockstep.fallback." + setting + " is " + SettingRules.text(value) + ".",
                    "Write a duration from 10ms to 24h, such as " + example + ", or leave it out.");
        }
    }

    private void requireTerms(StoreType main) {
        Duration longest = fallback.longestTerm();
        if (properties.term().compareTo(longest) > 0) {
            throw new LockstepStartException(
                    "lockstep.term is " + SettingRules.text(properties.term())
                            + ", and lockstep.fallback.longest-term is " + SettingRules.text(longest) + ".",
                    "Write a shorter lockstep.term, since leases are renewed for as long as they are held; or a longer"
                            + " lockstep.fallback.longest-term in all processes.");
        }
        if (main == StoreType.REDIS) {
            requireTerms(longest, properties.redis().termLimit(), "Redis", "redis");
        } else if (main == StoreType.ETCD) {
            requireTerms(longest, properties.etcd().termLimit(), "etcd", "etcd");
        }
    }

    private static void requireTerms(Duration longest, Duration onStore, String name, String group) {
        if (longest.compareTo(onStore) > 0) {
            throw new LockstepStartException(
                    "lockstep.fallback.longest-term is " + SettingRules.text(longest) + ", and the longest term on "
                            + name + " is " + SettingRules.text(onStore) + ".",
                    "Write lockstep." + group + ".longest-term=" + SettingRules.text(longest)
                            + " in all processes, or a shorter lockstep.fallback.longest-term.");
        }
    }
}
