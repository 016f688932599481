package dev.lockstep.redis;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.connection.PartitionKeys;
import dev.lockstep.redis.connection.RedisAddresses;
import dev.lockstep.redis.doctor.ConnectionFailure;
import dev.lockstep.redis.doctor.DoctorSession;
import dev.lockstep.redis.doctor.RedisCheck;
import dev.lockstep.redis.doctor.RedisClusterCheck;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds out before the first lock whether a Redis server, or a cluster of them, is fit for a store, and says what to do where it isn't. It
 * leaves nothing behind, waits for no lock and needs two connections for a moment.
 *
 * <pre>{@code
 * Diagnosis diagnosis = RedisDoctor.at("redis://localhost").namespace("orders").examine();
 * if (!diagnosis.isHealthy()) throw new IllegalStateException(diagnosis.toString());
 * }</pre>
 */
public final class RedisDoctor {
    private static final String DEFAULT_NAMESPACE = "default";

    /** Above 5 s, after which Redis says of itself that it is busy with a script. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private final List<RedisURI> uris;
    private final boolean cluster;
    private final Namespace namespace;
    private final Duration answerWithin;
    private final InstantSource clock;
    private final SslOptions tls;

    private RedisDoctor(
            List<RedisURI> uris,
            boolean cluster,
            Namespace namespace,
            Duration answerWithin,
            InstantSource clock,
            SslOptions tls) {
        this.uris = uris;
        this.cluster = cluster;
        this.namespace = namespace;
        this.answerWithin = answerWithin;
        this.clock = clock;
        this.tls = tls;
    }

    private static RedisDoctor of(List<RedisURI> uris, boolean cluster) {
        return new RedisDoctor(
                uris,
                cluster,
                new Namespace(DEFAULT_NAMESPACE),
                ANSWER_WITHIN,
                InstantSource.system(),
                SslOptions.create());
    }

    /** Looks at the server of a URL such as {@code redis://user:password@host:6379}, or at the master of {@code redis-sentinel://host:26379#name}. */
    public static RedisDoctor at(String redisUrl) {
        return at(RedisAddresses.parse(redisUrl));
    }

    /** Looks at a server. */
    public static RedisDoctor at(RedisURI uri) {
        return of(List.of(uri), false);
    }

    /** Looks at every master of a Redis Cluster, of which these are some nodes. */
    public static RedisDoctor cluster(String... urls) {
        return cluster(Arrays.stream(urls).map(RedisAddresses::parse).toList());
    }

    /** Looks at every master of a Redis Cluster, of which these are some nodes. */
    public static RedisDoctor cluster(List<RedisURI> uris) {
        return of(RedisAddresses.ofCluster(uris), true);
    }

    /** The same for a store with this namespace. */
    public RedisDoctor namespace(String name) {
        return new RedisDoctor(uris, cluster, new Namespace(name), answerWithin, clock, tls);
    }

    /** The same with these certificates, as {@link RedisLockStore#tls}. */
    public RedisDoctor tls(SslOptions certificates) {
        SslOptions used = RedisLockStore.requireTls(uris, certificates);
        return new RedisDoctor(uris, cluster, namespace, answerWithin, clock, used);
    }

    RedisDoctor answerWithin(Duration limit) {
        return new RedisDoctor(uris, cluster, namespace, limit, clock, tls);
    }

    RedisDoctor clock(InstantSource local) {
        return new RedisDoctor(uris, cluster, namespace, answerWithin, local, tls);
    }

    /** Looks at everything. A server that can't be reached is a finding, not an exception. */
    public Diagnosis examine() {
        return new Diagnosis(cluster ? examineMasters() : examine(uris.get(0), null));
    }

    private List<Finding> examine(RedisURI uri, @Nullable PartitionKeys partition) {
        List<Finding> findings = new ArrayList<>();
        try (DoctorSession visit = new DoctorSession(uri, namespace, partition, answerWithin, tls)) {
            for (RedisCheck exam : RedisCheck.all(clock)) {
                findings.addAll(exam.run(visit));
            }
        } catch (RuntimeException e) { // the next questions would fail in the same way
            findings.add(ConnectionFailure.finding(RedisAddresses.text(uri), answerWithin, e));
        }
        return findings;
    }

    private List<Finding> examineMasters() {
        RedisClusterCheck found = RedisClusterCheck.examine(uris, namespace, answerWithin, tls);
        List<Finding> findings = new ArrayList<>(found.findings());
        found.masters()
                .forEach((master, partition) -> examine(master, partition)
                        .forEach(each -> findings.add(new Finding(
                                each.severity(), RedisAddresses.text(master) + ": " + each.what(), each.whatToDo()))));
        return findings;
    }
}
