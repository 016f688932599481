package dev.lockstep.spring.autoconfigure;

import dev.lockstep.core.CallSites;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.fallback.WithoutSecondary;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * What an application configures under {@code lockstep}, the most used first. A setting that may be left out is null then: its default is
 * the store's.
 *
 * @param enabled Whether there are locks at all.
 * @param store Where locks are kept. There is no default: a store for one process must not be used by many unnoticed.
 * @param kinds What can be locked, by the name that stands in keys.
 * @param kindsFrom Enums that implement LockKind.
 * @param defaultWait How long a request waits for its locks when it doesn't say.
 * @param term How long a lease lasts between renewals when the request doesn't say.
 * @param longestHold How long a lease is held at most when the request doesn't say, however often it is renewed. No limit by default.
 * @param owner The owner of requests that name none, for holders and waiters in other processes. By default the application's name, host and
 *     process id, such as billing@web-1:4711.
 * @param connections How many connections locks on a database use, and so how many leases there can be at a time. By default 16, or half of
 *     the pool if that is less.
 * @param provisionIfMissing Whether tables and rows are made at the start when they are missing (MySQL, MariaDB).
 * @param buckets How many rows each kind has (MySQL, MariaDB). By default as many as the database has, and 100,000 in a new one.
 * @param namespace Locks of two namespaces never meet (PostgreSQL, Redis, etcd).
 * @param redis Locks on Redis.
 * @param etcd Locks on etcd.
 * @param fallback A database that stands in for the store while that can't be reached.
 * @param orderPolicy What happens to nested requests against the order.
 * @param callSites When the asking line of code is recorded.
 * @param limits What one request may ask for at most.
 * @param locked Methods with Locked.
 * @param web Responses of a web application.
 */
@ConfigurationProperties("lockstep")
public record LockstepProperties(
        @DefaultValue("true") boolean enabled,
        @Nullable StoreType store,
        @DefaultValue Map<String, Kind> kinds,
        @DefaultValue List<Class<?>> kindsFrom,
        @Name("wait") @DefaultValue("1s") Duration defaultWait,
        @DefaultValue("10s") Duration term,
        @Nullable Duration longestHold,
        @Nullable String owner,
        @Nullable Integer connections,
        @Nullable Boolean provisionIfMissing,
        @Nullable Integer buckets,
        @Nullable String namespace,
        @DefaultValue Redis redis,
        @DefaultValue Etcd etcd,
        @DefaultValue Fallback fallback,
        @DefaultValue("fail") OrderPolicy orderPolicy,
        @DefaultValue("when-contended") CallSites callSites,
        @DefaultValue Limits limits,
        @DefaultValue Locked locked,
        @DefaultValue Web web) {
    /**
     * A kind of thing that can be locked.
     *
     * @param rank When locks of this kind are taken: lower ranks first, everywhere. Each kind has one of its own, above its parent's.
     * @param parent The kind of the thing that contains this one.
     * @param leaf Whether nothing is ever locked below this kind.
     */
    public record Kind(
            @Nullable Integer rank,
            @Nullable String parent,
            @DefaultValue("false") boolean leaf) {}

    /**
     * Locks on Redis.
     *
     * @param url A server for locks, such as redis://user:password@host:6379/0 or rediss://host:6380. The application's own by default.
     * @param cluster Some nodes of a Redis Cluster for locks, such as redis://host1:6379,redis://host2:6379. Any of them names the others.
     * @param partitions Into how many parts the locks are cut in a cluster, the same in all processes. By default 64.
     * @param longestTerm The longest lease term, the same in all processes; also how long nothing is granted after Redis lost its memory.
     * @param answerWithin How long to wait for an answer before the server counts as unreachable.
     */
    public record Redis(
            @Nullable String url,
            @Nullable List<String> cluster,
            @Nullable Integer partitions,
            @Nullable Duration longestTerm,
            @Nullable Duration answerWithin) {
        /** The store's default. */
        private static final Duration LONGEST_TERM = Duration.ofSeconds(30);

        /** Whether locks are on a cluster. */
        public boolean isCluster() {
            return cluster != null;
        }

        /** The longest lease term, also when none is configured. */
        public Duration termLimit() {
            return longestTerm == null ? LONGEST_TERM : longestTerm;
        }
    }

    /**
     * Locks on etcd.
     *
     * @param url The members, such as etcd://host1:2379,host2:2379,host3:2379, or etcds: for TLS.
     * @param username The user of etcd, unless the URL names it.
     * @param password The user's password.
     * @param sslBundle The name of the SSL bundle with the certificates, where the members have a private certificate authority or require a
     *     certificate of the client.
     * @param longestTerm The longest lease term, the same in all processes; also how long nothing is granted after a restore from a backup.
     * @param answerWithin How long to wait for a response before a member counts as unreachable.
     */
    public record Etcd(
            @Nullable String url,
            @Nullable String username,
            @Nullable String password,
            @Nullable String sslBundle,
            @Nullable Duration longestTerm,
            @Nullable Duration answerWithin) {
        /** The store's default. */
        private static final Duration LONGEST_TERM = Duration.ofSeconds(30);

        /** The longest lease term, also when none is configured. */
        public Duration termLimit() {
            return longestTerm == null ? LONGEST_TERM : longestTerm;
        }

        /** Never the password. */
        @Override
        public String toString() {
            return "Etcd[user " + username + "]";
        }
    }

    /**
     * A database that stands in for the store while that can't be reached.
     *
     * @param store What the database is: mysql, mariadb or postgresql. Without it there is no fallback.
     * @param dataSource The bean with the DataSource of the fallback. The application's by default, where the main store is Redis.
     * @param name The name of the pair in the register, where several pairs share the fallback.
     * @param epochTerm How long a process continues without a response of the fallback, the same in all processes. Part of the time in which
     *     nothing is granted after a switch.
     * @param longestTerm The longest lease term, the same in all processes. Part of the time in which nothing is granted after a switch.
     * @param unavailableAfter How long the main store must have been silent before locks move to the fallback.
     * @param returnAfter How long the main store must have been reachable for all processes before locks go back to it.
     * @param withoutSecondary What is done while the fallback, which says which store's turn it is, can't be reached.
     */
    public record Fallback(
            @Nullable StoreType store,
            @Nullable String dataSource,
            @DefaultValue("default") String name,
            @DefaultValue("10s") Duration epochTerm,
            @DefaultValue("30s") Duration longestTerm,
            @DefaultValue("5s") Duration unavailableAfter,
            @DefaultValue("1m") Duration returnAfter,
            @DefaultValue("stop") WithoutSecondary withoutSecondary) {}

    /**
     * Methods with Locked.
     *
     * @param order The order of the advice that acquires the locks, among the advice of other annotations: a lower one is outside. It must be
     *     below that of transactions.
     */
    public record Locked(@DefaultValue("2147482647") int order) {}

    /**
     * Responses of a web application.
     *
     * @param problems Whether a controller that fails because a lock is unavailable responds with 503, Retry-After and a problem body. A handler
     *     of the application takes precedence.
     */
    public record Web(@DefaultValue("true") boolean problems) {}

    /**
     * What one request may ask for at most.
     *
     * @param idLength Chars in one id.
     * @param depth Keys from the top to the thing locked.
     * @param keys Keys named in one request.
     */
    public record Limits(
            @DefaultValue("512") int idLength,
            @DefaultValue("16") int depth,
            @DefaultValue("1000") int keys) {}
}
