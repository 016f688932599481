package dev.lockstep.redis;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The store at work: where requests are handed in, and what comes of them is handed out. */
final class RedisDesk implements AutoCloseable {
    /** Most waits are over sooner. They are spared the record of the call site. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long SWEEP = TimeUnit.SECONDS.toNanos(10);
    private static final long ATTEND = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long NEXT_PORTION = TimeUnit.MILLISECONDS.toNanos(10);

    private final Servers servers;
    private final Partitions partitions;
    private final RedisKinds kinds;
    private final RedisSight sight;
    private final Waits waits;
    private final Renewals renewals;
    private final WakeCalls wakeCalls;
    private final AtomicBoolean sweeping = new AtomicBoolean();

    RedisDesk(Servers servers, Partitions partitions) {
        this.servers = servers;
        this.partitions = partitions;
        kinds = new RedisKinds(servers, partitions);
        sight = new RedisSight(servers, partitions, kinds);
        String process = ProcessHandle.current().pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        WaitGraph graph = partitions.isOne()
                ? new ServerWaitGraph(servers, partitions.all().get(0))
                : new MergedWaitGraph(sight);
        waits = new Waits(servers, partitions, kinds, new Cycles(graph, kinds::read), LockClock.system(), process);
        renewals = new Renewals(servers, waits);
        String[] channels = partitions.all().stream()
                .map(each -> each.keys().wakeChannel(process))
                .toArray(String[]::new);
        wakeCalls = new WakeCalls(servers, channels, waits::hint);
    }

    /** Begins to listen for hints and to keep house. */
    RedisDesk open() {
        wakeCalls.listen();
        waits.every(this::attend, ATTEND);
        waits.every(this::sweep, SWEEP / 2 + ThreadLocalRandom.current().nextLong(SWEEP));
        return this;
    }

    void createNamespace() {
        servers.answers()
                .await(
                        Stages.all(partitions.all(), each -> servers.call(each, Script.CREATE)),
                        "Creating the namespace");
    }

    /** All partitions or none, unless someone begins to use one meanwhile. */
    boolean removeNamespace() {
        String doing = "Removing the namespace";
        List<Long> leases = servers.answers()
                .await(
                        Stages.all(
                                partitions.all(),
                                each -> servers.send(
                                        each, redis -> redis.hlen(each.keys().leases()))),
                        doing);
        return leases.stream().allMatch(count -> count == 0)
                && servers
                        .answers()
                        .await(Stages.all(partitions.all(), each -> servers.call(each, Script.REMOVE)), doing)
                        .stream()
                        .allMatch(reply -> (Long) reply.get(0) == 1);
    }

    void simulateRestart() {
        servers.answers()
                .await(
                        Stages.all(partitions.all(), each -> servers.call(each, Script.FORGET)),
                        "Simulating a restart of the namespace");
    }

    void declare(List<KindDefinition> definitions) {
        kinds.declare(definitions);
    }

    LockSnapshot snapshot() {
        return sight.snapshot();
    }

    /** Asks every server that keeps a partition: without one of them some locks can't be had. */
    void ping() {
        Map<Object, Partition> oneOfEach = new HashMap<>();
        partitions.all().forEach(each -> oneOfEach.putIfAbsent(servers.serverOf(each), each));
        servers.answers()
                .await(
                        Stages.all(oneOfEach.values(), each -> servers.call(each, Script.PING)),
                        "Asking Redis whether it works");
    }

    // ---- acquiring

    StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        if (request.waits() && Thread.interrupted()) {
            throw new InterruptedException("Interrupted before locking " + request.plan());
        }
        Acquisition acquisition = waits.begin(request, Runnable::run);
        return request.waits() ? await(acquisition) : nowOrNever(acquisition);
    }

    /** Isn't interrupted, because it doesn't wait for anyone but the server. */
    private StoreAnswer nowOrNever(Acquisition acquisition) {
        try {
            return servers.answers().await(acquisition.answer, "Locking " + acquisition.request.plan());
        } catch (LockException e) {
            acquisition.abandon(e);
            throw e;
        }
    }

    private StoreAnswer await(Acquisition acquisition) throws InterruptedException {
        StoreRequest request = acquisition.request;
        try {
            StoreAnswer answer = get(acquisition, MOMENT);
            if (answer == null) {
                request.contended();
            }
            while (answer == null) {
                answer = get(
                        acquisition,
                        request.deadline().remainingNanos()
                                + servers.answers().within().toNanos());
                if (answer == null && request.deadline().passed()) {
                    throw servers.answers().missing("Locking " + request.plan());
                }
            }
            return answer;
        } catch (InterruptedException | RuntimeException | Error e) {
            withdraw(acquisition, e);
            throw e;
        }
    }

    private static @Nullable StoreAnswer get(Acquisition acquisition, long nanos) throws InterruptedException {
        try {
            return acquisition.answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw RedisErrors.of(e, "Locking " + acquisition.request.plan(), List.of());
        }
    }

    /** Whoever learns that the request is over may count on it that nobody waits for it any more. */
    private void withdraw(Acquisition acquisition, Throwable reason) {
        try {
            servers.answers().await(acquisition.abandon(reason), "Taking back a request");
        } catch (LockException e) {
            reason.addSuppressed(e);
        }
    }

    /** What is done with the answer is done by {@code executor}: it may call the store, for which a thread of the connection would wait. */
    CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor executor) {
        request.contended(); // later nobody knows who asked
        return waits.begin(request, executor).answer;
    }

    void cancel(StoreRequest request) {
        waits.hint(request.leaseId().toString());
    }

    // ---- afterwards

    boolean release(StoreGrant grant) {
        RedisGrant given = (RedisGrant) grant;
        return servers.answers().await(waits.tryRelease(given.parts()), "Releasing " + given.plan());
    }

    List<StoreGrant> renew(List<Renewal> extensions) {
        extensions.forEach(each -> partitions.requireWithinLongest(each.term()));
        return renewals.renew(extensions);
    }

    /** The servers that have to answer when a lease is renewed. */
    Set<Object> serversOf(StoreGrant grant) {
        return ((RedisGrant) grant)
                .parts().stream()
                        .map(part -> servers.serverOf(part.partition()))
                        .collect(Collectors.toSet());
    }

    // ---- housekeeping

    private void attend() {
        servers.attend();
        wakeCalls.listen();
    }

    /** Goes through all leases in portions; the next round begins when this one has ended. */
    private void sweep() {
        if (sweeping.compareAndSet(false, true)) {
            sweepNext(partitions.all().iterator());
        }
    }

    private void sweepNext(Iterator<Partition> rest) {
        if (rest.hasNext()) {
            sweep(rest.next(), "0", rest);
        } else {
            sweeping.set(false);
        }
    }

    private void sweep(Partition partition, String cursor, Iterator<Partition> rest) {
        CompletionStage<?> unused = servers.call(partition, Script.SWEEP, cursor)
                .whenComplete((reply, error) -> swept(partition, reply == null ? "0" : (String) reply.get(0), rest));
    }

    private void swept(Partition partition, String next, Iterator<Partition> rest) {
        if ("0".equals(next)) {
            sweepNext(rest);
        } else {
            Future<?> unused = waits.later(() -> sweep(partition, next, rest), NEXT_PORTION);
        }
    }

    @Override
    public void close() {
        waits.close();
        servers.close();
    }
}
