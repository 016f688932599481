package dev.lockstep.spring.autoconfigure;

import dev.lockstep.spring.LockstepStartException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Refuses settings that the chosen store doesn't have, unless they are the default. Only the memory store ignores them, so that a
 * test needs no more than {@code lockstep.store=memory} beside the configuration of the application.
 */
final class StoreSettings {
    private static final Logger LOG = LoggerFactory.getLogger(StoreSettings.class);
    private static final Set<StoreType> ROWS = EnumSet.of(StoreType.MYSQL, StoreType.MARIADB);
    private static final Set<StoreType> DATABASES =
            EnumSet.of(StoreType.MYSQL, StoreType.MARIADB, StoreType.POSTGRESQL);
    private static final Set<StoreType> NAMESPACES = EnumSet.of(StoreType.POSTGRESQL, StoreType.REDIS, StoreType.ETCD);
    private static final Set<StoreType> REDIS = EnumSet.of(StoreType.REDIS);
    private static final Set<StoreType> ETCD = EnumSet.of(StoreType.ETCD);

    private final StoreType chosen;
    private final List<String> ignored = new ArrayList<>();
    private final Set<StoreType> used;

    private StoreSettings(StoreType chosen, @Nullable StoreType fallback) {
        this.chosen = chosen;
        used = fallback == null ? EnumSet.of(chosen) : EnumSet.of(chosen, fallback);
    }

    static void check(StoreType chosen, LockstepProperties properties) {
        StoreSettings settings = new StoreSettings(chosen, properties.fallback().store());
        settings.require("connections", properties.connections(), 16, DATABASES);
        settings.require("buckets", properties.buckets(), null, ROWS);
        settings.require("provision-if-missing", properties.provisionIfMissing(), false, ROWS);
        settings.require("namespace", properties.namespace(), null, NAMESPACES);
        settings.require("redis.url", properties.redis().url(), null, REDIS);
        settings.require("redis.cluster", properties.redis().cluster(), null, REDIS);
        settings.require("redis.partitions", properties.redis().partitions(), 64, REDIS);
        settings.require("redis.longest-term", properties.redis().longestTerm(), Duration.ofSeconds(30), REDIS);
        settings.require("redis.answer-within", properties.redis().answerWithin(), Duration.ofSeconds(3), REDIS);
        settings.require("etcd.url", properties.etcd().url(), null, ETCD);
        settings.require("etcd.username", properties.etcd().username(), null, ETCD);
        settings.require("etcd.password", properties.etcd().password(), null, ETCD);
        settings.require("etcd.ssl-bundle", properties.etcd().sslBundle(), null, ETCD);
        settings.require("etcd.longest-term", properties.etcd().longestTerm(), Duration.ofSeconds(30), ETCD);
        settings.require("etcd.answer-within", properties.etcd().answerWithin(), Duration.ofSeconds(5), ETCD);
        settings.logIgnored(properties.fallback());
        if (chosen == StoreType.REDIS) {
            requireTerm(properties, properties.redis().termLimit(), "Redis", "redis");
            requireOnePlace(properties.redis());
        }
        if (chosen == StoreType.ETCD) {
            requireTerm(properties, properties.etcd().termLimit(), "etcd", "etcd");
        }
    }

    private void logIgnored(LockstepProperties.Fallback fallback) {
        if (chosen == StoreType.MEMORY && !fallback.equals(FallbackSettings.NONE)) {
            ignored.add("lockstep.fallback");
        }
        if (!ignored.isEmpty()) {
            LOG.info("lockstep.store=memory ignores settings of other stores: {}", String.join(", ", ignored));
        }
    }

    private static void requireTerm(LockstepProperties properties, Duration longest, String name, String group) {
        if (properties.term().compareTo(longest) > 0) {
            throw new LockstepStartException(
                    "lockstep.term is " + SettingRules.text(properties.term()) + ", and the longest term on "
                            + name + " is "
                            + SettingRules.text(longest) + ".",
                    "Write a shorter lockstep.term, since leases are renewed for as long as they are held; or a longer"
                            + " lockstep." + group + ".longest-term in all processes.");
        }
    }

    private static void requireOnePlace(LockstepProperties.Redis redis) {
        if (redis.cluster() != null && redis.cluster().isEmpty()) {
            throw new LockstepStartException(
                    "lockstep.redis.cluster is set, and names no node.",
                    "Write some nodes, such as redis://host1:6379,redis://host2:6379; or take it away, and locks are on a single server.");
        }
        if (redis.isCluster() && redis.url() != null) {
            throw new LockstepStartException(
                    "lockstep.redis.url names a server, and lockstep.redis.cluster names a cluster.",
                    "Take one of them away: locks are on the one or on the other.");
        }
        if (!redis.isCluster() && redis.partitions() != null) {
            throw new LockstepStartException(
                    "lockstep.redis.partitions is set, and locks are on a single server, which has none.",
                    "Take lockstep.redis.partitions away, or name the nodes of a cluster with lockstep.redis.cluster.");
        }
    }

    private void require(String setting, @Nullable Object value, @Nullable Object defaultValue, Set<StoreType> owners) {
        if (value == null || value.equals(defaultValue)) {
            return;
        }
        if (chosen == StoreType.MEMORY) {
            ignored.add("lockstep." + setting);
        } else if (Collections.disjoint(owners, used)) {
            String stores = owners.stream().map(StoreType::text).collect(Collectors.joining(", "));
            throw new LockstepStartException(
                    "lockstep." + setting + " is set, and lockstep.store=" + chosen.text() + " has no such setting.",
                    "Take lockstep." + setting + " away. It is there for: " + stores + ".");
        }
    }
}
