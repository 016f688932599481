package dev.lockstep.redis;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.redis.connection.Namespace;
import dev.lockstep.redis.connection.PartitionKeys;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What this process knows of the namespace's generation, as {@code generation.lua} means it. A process that knows another generation than the server gets no
 * lock before it has learned of the new one.
 */
final class NamespaceGeneration {
    private static final Logger LOG = LoggerFactory.getLogger(NamespaceGeneration.class);

    private final Namespace namespace;
    private final PartitionKeys keys;
    private final long longestMicros;
    private final String partitions;
    private final AtomicLong greatest;
    private final AtomicBoolean quietTold = new AtomicBoolean();
    private volatile String birth = "";

    /** {@code partitions} is how many there are, as a number, or empty on a single server; {@code greatest} they share. */
    NamespaceGeneration(
            Namespace namespace, PartitionKeys keys, Duration longestTerm, String partitions, AtomicLong greatest) {
        this.namespace = namespace;
        this.keys = keys;
        this.partitions = partitions;
        this.greatest = greatest;
        longestMicros = micros(longestTerm);
    }

    /** A duration as the scripts take it, never shorter than it is. */
    static long micros(Duration duration) {
        return (duration.toNanos() + 999) / 1_000;
    }

    /** The first argument of every script: what all processes must agree on. */
    String terms() {
        return partitions.isEmpty() ? Long.toString(longestMicros) : longestMicros + " " + partitions;
    }

    /** The second argument of every script: no number that the server gives out may be lower. */
    String greatest() {
        return Long.toString(greatest.get());
    }

    void saw(long token) {
        long known = greatest.get();
        while (token > known && !greatest.compareAndSet(known, token)) {
            known = greatest.get();
        }
    }

    String birth() {
        return birth;
    }

    void requireWithinLongest(Duration term) {
        if (micros(term) > longestMicros) {
            throw new InvalidRequestException("A lease term of " + text(term) + " is longer than longestTerm, which is "
                    + text(Duration.of(longestMicros, ChronoUnit.MICROS))
                    + ". Ask for a shorter term (leases without one are renewed as long as needed), or give the store of every process a"
                    + " greater longestTerm(...). It is also how long nothing is locked after Redis lost its memory.");
        }
    }

    /** Refuses to continue when the server counts with another longest term, or another number of partitions. */
    void requireSame(String serverLongest, String serverPartitions) {
        if (Long.parseLong(serverLongest) != longestMicros) {
            throw new InvalidRequestException("The namespace '" + namespace.name() + "' has a longest lease term of "
                    + millis(serverLongest) + " ms, and this process uses "
                    + TimeUnit.MICROSECONDS.toMillis(longestMicros)
                    + " ms. Give all processes the same longestTerm(...), or use another namespace. To change it, end all processes that"
                    + " use the namespace, delete " + memories() + ", and start them again.");
        }
        requirePartitions(serverPartitions);
    }

    void requirePartitions(String serverPartitions) {
        if (!serverPartitions.equals(partitions)) {
            throw new InvalidRequestException("The namespace '" + namespace.name() + "' has " + serverPartitions
                    + " partitions, and this process uses " + partitions
                    + ". Give all processes the same partitions(...), or use another namespace. To change it, end all processes that"
                    + " use the namespace, delete " + memories() + ", and start them again.");
        }
    }

    private String memories() {
        return partitions.isEmpty()
                ? "the key '" + keys.memory() + "'"
                : "the keys '" + namespace.keys(0).memory() + "' and so on for each partition";
    }

    /**
     * Proceeds in the generation that the server is in: once the server knows what it has to know of this process. Returns whether this process knew
     * another one.
     */
    boolean learned(String serverBirth) {
        String before = birth;
        birth = serverBirth;
        saw(Long.parseLong(serverBirth));
        boolean changed = !before.isEmpty() && !before.equals(serverBirth);
        if (changed) {
            quietTold.set(false);
            LOG.warn(
                    "Redis lost the memory of '{}', or another server has it now: leases from before are lost, and their holders learn of it",
                    keys.memory());
        }
        return changed;
    }

    private static long millis(String micros) {
        return TimeUnit.MICROSECONDS.toMillis(Long.parseLong(micros));
    }

    /** Logs once in each generation why locks have to wait. */
    void tellQuiet(String message) {
        if (quietTold.compareAndSet(false, true)) {
            LOG.warn("{}", message);
        }
    }

    private static String text(Duration duration) {
        return duration.toMillis() + " ms";
    }

    /** Why the server grants nothing yet, and for how long. */
    String explainQuiet(long micros, String why) {
        String reason = switch (why) {
            case "restart" ->
                "Redis was restarted or replaced"
                        + (partitions.isEmpty() ? "" : ", or a slot was moved to another master,")
                        + " and may have forgotten leases that are still in use";
            case "young" ->
                "Redis was started a moment ago and knows nothing of this namespace. It may have forgotten leases that are still"
                        + " in use";
            default ->
                "Redis knows nothing of this namespace: it is new, or Redis was emptied and has forgotten leases that are still in"
                        + " use";
        };
        String whole = "namespace '" + namespace.name() + "'";
        return (partitions.isEmpty() ? "The " : "A partition of the ") + whole + " grants no lock for another "
                + Math.max(1, TimeUnit.MICROSECONDS.toMillis(micros)) + " ms. " + reason
                + ", so it waits for the longest lease term. Try again after that"
                + ("restart".equals(why)
                        ? "."
                        : "; create a new namespace with createNamespace() to spare it the wait.");
    }
}
