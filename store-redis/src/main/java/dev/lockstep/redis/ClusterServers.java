package dev.lockstep.redis;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.redis.connection.Handshake;
import dev.lockstep.redis.connection.RedisAddresses;
import dev.lockstep.redis.connection.SlotRange;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The nodes of a Redis Cluster. A call goes to the node that had the partition's slot last. If that says the slot has moved, the call is
 * sent there: it was refused and not done. Whenever a node fails, the others are asked who has the slots now.
 *
 * <p>A slot that is on its way from one node to another (ASK) is waited for. Its keys are on both sides then, and a script would see only
 * some of them.
 */
final class ClusterServers implements Servers {
    private static final int MOST_MOVES = 4;

    private final Driver driver;
    private final List<RedisURI> seeds;
    private final ResponseLimit answers;
    private final SlotTable slots;
    private final Map<String, RedisLink> links = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable CompletableFuture<Void>> search = new AtomicReference<>();
    private volatile boolean closed;

    ClusterServers(Driver driver, List<RedisURI> seeds, Partitions partitions, Duration answerWithin) {
        this.driver = driver;
        this.seeds = seeds;
        answers = new ResponseLimit("the Redis cluster", answerWithin);
        slots = new SlotTable(partitions.all().stream()
                .map(each -> each.keys().slot())
                .distinct()
                .toList());
    }

    // ---- calls

    @Override
    public CompletionStage<List<Object>> call(Partition partition, Script script, String... arguments) {
        return follow(partition, link -> link.call(partition, script, arguments), MOST_MOVES);
    }

    @Override
    public <T> CompletionStage<T> send(
            Partition partition, Function<RedisAsyncCommands<String, String>, CompletionStage<T>> command) {
        return follow(partition, link -> link.send(command), MOST_MOVES);
    }

    private <T> CompletionStage<T> follow(
            Partition partition, Function<RedisLink, CompletionStage<T>> call, int movesLeft) {
        int slot = partition.keys().slot();
        RedisURI owner = slots.ownerOf(slot);
        if (owner == null) {
            return search().thenCompose(nothing -> slots.ownerOf(slot) == null
                    ? CompletableFuture.failedStage(unavailable("no server has slot " + slot, null))
                    : follow(partition, call, movesLeft));
        }
        return call.apply(linkTo(owner)).exceptionallyCompose(error -> {
            Throwable cause = RedisErrors.causeOf(error);
            Redirection moved = movesLeft == 0 ? null : Redirection.read(cause).orElse(null);
            if (moved != null) {
                slots.moved(slot, SlotRange.node(owner, moved.host(), moved.port()));
                return follow(partition, call, movesLeft - 1);
            }
            return CompletableFuture.failedStage(judged(cause));
        });
    }

    /** What fails now may succeed elsewhere, or later. */
    private Throwable judged(Throwable cause) {
        if (Redirection.isUnderWay(cause)) {
            return unavailable(String.valueOf(cause.getMessage()), cause);
        }
        if (!closed && RedisErrors.isUnavailable(cause)) {
            CompletionStage<Void> unused = search();
        }
        return cause;
    }

    private static LockException unavailable(String why, @Nullable Throwable cause) {
        return new LockException(
                ErrorCode.STORE_UNAVAILABLE,
                "The Redis cluster is being changed: " + why + ". Try again in a moment.",
                List.of(),
                cause);
    }

    private RedisLink linkTo(RedisURI node) {
        return links.computeIfAbsent(
                node.getHost() + ":" + node.getPort(), any -> new RedisLink(driver.client(), node, answers.within()));
    }

    @Override
    public Object serverOf(Partition partition) {
        RedisURI owner = slots.ownerOf(partition.keys().slot());
        return owner == null ? partition : owner;
    }

    // ---- finding out who has the slots

    /**
     * Asks all nodes at once and takes the first answer that names all slots; some may be down, others slow, and a node that is no longer or
     * not yet part of the cluster knows little. If there is none, it takes what there is. At most one search is under way.
     */
    private CompletionStage<Void> search() {
        CompletableFuture<Void> mine = new CompletableFuture<>();
        CompletableFuture<Void> running = search.compareAndExchange(null, mine);
        if (running != null) {
            return running;
        }
        List<CompletableFuture<?>> askings = new ArrayList<>();
        for (RedisURI node : nodes()) {
            askings.add(linkTo(node)
                    .send(redis -> redis.clusterSlots())
                    .thenAccept(ranges -> {
                        if (!mine.isDone() && slots.learn(SlotRange.readAll(ranges, node))) {
                            found(mine, null);
                        }
                    })
                    .toCompletableFuture());
        }
        CompletableFuture<?> unused = CompletableFuture.allOf(askings.toArray(CompletableFuture[]::new))
                .orTimeout(answers.within().toNanos(), TimeUnit.NANOSECONDS)
                .whenComplete((nothing, error) -> found(mine, anyAnswered(askings) ? null : error));
        return mine;
    }

    private static boolean anyAnswered(List<CompletableFuture<?>> askings) {
        return askings.stream().anyMatch(each -> each.isDone() && !each.isCompletedExceptionally());
    }

    private void found(CompletableFuture<Void> asked, @Nullable Throwable error) {
        search.compareAndSet(asked, null);
        if (error == null) {
            asked.complete(null);
        } else {
            Throwable cause = RedisErrors.causeOf(error);
            asked.completeExceptionally(
                    cause instanceof TimeoutException ? answers.missing("Asking who has which slots") : cause);
        }
    }

    /** Nodes come and go; the seeds and those that have a slot are kept. */
    private void closeUnused() {
        Set<String> used = new HashSet<>();
        seeds.forEach(each -> used.add(RedisAddresses.text(each)));
        slots.owners().forEach(each -> used.add(RedisAddresses.text(each)));
        links.forEach((address, link) -> {
            if (!used.contains(address) && link.isIdle() && links.remove(address, link)) {
                link.disconnect();
            }
        });
    }

    /** The nodes that there is a connection to, or was asked for. */
    Set<String> connectedNodes() {
        return Set.copyOf(links.keySet());
    }

    /** Those that were named and those that were heard of, in any order. */
    private List<RedisURI> nodes() {
        List<RedisURI> nodes =
                new ArrayList<>(links.values().stream().map(RedisLink::uri).toList());
        seeds.stream()
                .filter(seed -> !links.containsKey(seed.getHost() + ":" + seed.getPort()))
                .forEach(nodes::add);
        Collections.shuffle(nodes);
        return nodes;
    }

    // ---- the rest

    /** Every node hears the hints of all others. */
    @Override
    public CompletionStage<StatefulRedisPubSubConnection<String, String>> listen() {
        return Handshake.open(
                linkTo(nodes().get(0)).uri(), uri -> driver.client().connectPubSubAsync(StringCodec.UTF8, uri));
    }

    @Override
    public ResponseLimit answers() {
        return answers;
    }

    @Override
    public void attend() {
        links.values().forEach(RedisLink::closeIfSilent);
        closeUnused();
    }

    @Override
    public void close() {
        closed = true;
        links.values().forEach(RedisLink::close);
        driver.close();
    }
}
