package dev.lockstep.redis;

import dev.lockstep.core.Diagnosis;
import dev.lockstep.core.Finding;
import io.lettuce.core.RedisURI;
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

    private RedisDoctor(
            List<RedisURI> uris, boolean cluster, Namespace namespace, Duration answerWithin, InstantSource clock) {
        this.uris = uris;
        this.cluster = cluster;
        this.namespace = namespace;
        this.answerWithin = answerWithin;
        this.clock = clock;
    }

    /** Looks at the server of a URL such as {@code redis://user:password@host:6379}. */
    public static RedisDoctor at(String redisUrl) {
        return at(RedisAddresses.parse(redisUrl));
    }

    /** Looks at a server. */
    public static RedisDoctor at(RedisURI uri) {
        return new RedisDoctor(
                List.of(uri), false, new Namespace(DEFAULT_NAMESPACE), ANSWER_WITHIN, InstantSource.system());
    }

    /** Looks at every master of a Redis Cluster, of which these are some nodes. */
    public static RedisDoctor cluster(String... urls) {
        return cluster(Arrays.stream(urls).map(RedisAddresses::parse).toList());
    }

    /** Looks at every master of a Redis Cluster, of which these are some nodes. */
    public static RedisDoctor cluster(List<RedisURI> uris) {
        return new RedisDoctor(
                RedisAddresses.ofCluster(uris),
                true,
                new Namespace(DEFAULT_NAMESPACE),
                ANSWER_WITHIN,
                InstantSource.system());
    }

    /** The same for a store with this namespace. */
    public RedisDoctor namespace(String name) {
        return new RedisDoctor(uris, cluster, new Namespace(name), answerWithin, clock);
    }

    RedisDoctor answerWithin(Duration limit) {
        return new RedisDoctor(uris, cluster, namespace, limit, clock);
    }

    RedisDoctor clock(InstantSource local) {
        return new RedisDoctor(uris, cluster, namespace, answerWithin, local);
    }

    /** Looks at everything. A server that can't be reached is a finding, not an exception. */
    public Diagnosis examine() {
        return new Diagnosis(cluster ? examineMasters() : examine(uris.get(0), null));
    }

    private List<Finding> examine(RedisURI uri, @Nullable PartitionKeys partition) {
        List<Finding> findings = new ArrayList<>();
        try (Visit visit = new Visit(uri, namespace, partition, answerWithin)) {
            for (RedisExam exam : RedisExam.all(clock)) {
                findings.addAll(exam.run(visit));
            }
        } catch (RuntimeException e) { // the next questions would fail in the same way
            findings.add(NoAnswer.finding(Visit.address(uri), answerWithin, e));
        }
        return findings;
    }

    private List<Finding> examineMasters() {
        ClusterExam found = ClusterExam.examine(uris, namespace, answerWithin);
        List<Finding> findings = new ArrayList<>(found.findings());
        found.masters()
                .forEach((master, partition) -> examine(master, partition)
                        .forEach(each -> findings.add(new Finding(
                                each.severity(), Visit.address(master) + ": " + each.what(), each.whatToDo()))));
        return findings;
    }
}
