package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;

/** Refuses values that no lock could work with, by the names of their properties. */
final class SettingRules {
    private SettingRules() {}

    static void check(LockstepProperties properties) {
        positive("wait", properties.defaultWait(), "1s");
        positive("term", properties.term(), "10s");
        positive("longest-hold", properties.longestHold(), "5m");
        positive("redis.partitions", properties.redis().partitions(), 64);
        positive("redis.longest-term", properties.redis().longestTerm(), "30s");
        positive("redis.answer-within", properties.redis().answerWithin(), "3s");
        positive("etcd.longest-term", properties.etcd().longestTerm(), "30s");
        positive("etcd.answer-within", properties.etcd().answerWithin(), "5s");
        positive("buckets", properties.buckets(), 100_000);
        positive("limits.id-length", properties.limits().idLength(), 512);
        positive("limits.depth", properties.limits().depth(), 16);
        positive("limits.keys", properties.limits().keys(), 1_000);
        named("owner", properties.owner(), "billing");
        named("namespace", properties.namespace(), "orders");
        named("etcd.username", properties.etcd().username(), "billing");
        named("etcd.ssl-bundle", properties.etcd().sslBundle(), "etcd");
        named("fallback.data-source", properties.fallback().dataSource(), "locksDataSource");
    }

    static void positive(String setting, @Nullable Duration value, String example) {
        if (value != null && value.compareTo(Duration.ofMillis(1)) < 0) {
            throw refused(setting, text(value), "a duration of a millisecond or more, such as " + example);
        }
    }

    static void positive(String setting, @Nullable Integer value, int example) {
        if (value != null && value < 1) {
            throw refused(setting, value, "a number of one or more, such as " + example);
        }
    }

    private static void named(String setting, @Nullable String value, String example) {
        if (value != null && value.isBlank()) {
            throw refused(setting, "empty", "a name such as " + example);
        }
    }

    private static LockstepStartException refused(String setting, Object value, String instead) {
        return new LockstepStartException(
                "lockstep." + setting + " is " + value + ".", "Write " + instead + ", or leave it out.");
    }

    /** As it is written in a configuration. */
    static String text(Duration duration) {
        return DurationStyle.SIMPLE.print(duration);
    }
}
