package dev.lockstep.redis;

import dev.lockstep.core.Diagnosis;
import dev.lockstep.core.Finding;
import dev.lockstep.core.InvalidRequestException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * Finds out before the first lock whether a Redis server is fit for a store, and says what to do where it isn't. It leaves nothing behind,
 * waits for no lock and needs two connections for a moment.
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

    private final RedisURI uri;
    private final Namespace namespace;
    private final Duration answerWithin;
    private final InstantSource clock;

    private RedisDoctor(RedisURI uri, Namespace namespace, Duration answerWithin, InstantSource clock) {
        this.uri = Objects.requireNonNull(uri, "uri");
        this.namespace = namespace;
        this.answerWithin = answerWithin;
        this.clock = clock;
    }

    /** Looks at the server of a URL such as {@code redis://user:password@host:6379}. */
    public static RedisDoctor at(String redisUrl) {
        try {
            return at(RedisURI.create(redisUrl));
        } catch (IllegalArgumentException e) { // without the URL, which may hold a password
            throw new InvalidRequestException(
                    "That is no Redis URL. Write one such as redis://user:password@host:6379, or rediss:// for TLS.");
        }
    }

    /** Looks at a server. */
    public static RedisDoctor at(RedisURI uri) {
        return new RedisDoctor(uri, new Namespace(DEFAULT_NAMESPACE), ANSWER_WITHIN, InstantSource.system());
    }

    /** The same for a store with this namespace. */
    public RedisDoctor namespace(String name) {
        return new RedisDoctor(uri, new Namespace(name), answerWithin, clock);
    }

    RedisDoctor answerWithin(Duration limit) {
        return new RedisDoctor(uri, namespace, limit, clock);
    }

    RedisDoctor clock(InstantSource local) {
        return new RedisDoctor(uri, namespace, answerWithin, local);
    }

    /** Looks at everything. A server that can't be reached is a finding, not an exception. */
    public Diagnosis examine() {
        List<Finding> findings = new ArrayList<>();
        try (Visit visit = new Visit(uri, namespace, answerWithin)) {
            for (RedisExam exam : RedisExam.all(clock)) {
                findings.addAll(exam.run(visit));
            }
        } catch (RuntimeException e) { // the next questions would fail in the same way
            findings.add(NoAnswer.finding(Visit.address(uri), answerWithin, e));
        }
        return new Diagnosis(findings);
    }
}
