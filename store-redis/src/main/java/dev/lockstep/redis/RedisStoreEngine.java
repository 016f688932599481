package dev.lockstep.redis;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store at work: where requests are handed in, and what comes of them is handed out. */
final class RedisStoreEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(RedisStoreEngine.class);

    /** Most waits have ended sooner. They are spared the record of the call site. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long HEARTBEAT = TimeUnit.SECONDS.toNanos(1);
    private static final long ATTEND = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long CLOSE_MILLIS = 1_000;

    private final Servers servers;
    private final Partitions partitions;
    private final RedisKinds kinds;
    private final RedisLockInspector sight;
    private final PendingAcquisitions pending = new PendingAcquisitions();
    private final StoreTimer timer = new StoreTimer();
    private final LeaseCalls calls;
    private final AcquisitionContext context;
    private final LeaseRenewer renewals;
    private final Sweeper sweeper;
    private final HintListener wakeCalls;

    RedisStoreEngine(Servers servers, Partitions partitions) {
        this.servers = servers;
        this.partitions = partitions;
        kinds = new RedisKinds(servers, partitions);
        sight = new RedisLockInspector(servers, partitions, kinds);
        String process = ProcessHandle.current().pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        RedisWaitGraph graph = partitions.isOne()
                ? new ServerWaitGraph(servers, partitions.all().get(0))
                : new MergedWaitGraph(sight);
        LockClock clock = LockClock.system();
        Duration patience = LeaseCalls.patience(servers.answers());
        Heartbeats heartbeats = new Heartbeats(servers, process, patience, LeaseCalls.SLACK, clock, pending::hint);
        calls = new LeaseCalls(servers, process, clock, pending::granted, heartbeats::doubt, timer::isClosed);
        DeadlockSearch cycles = new DeadlockSearch(graph, kinds::read);
        context = new AcquisitionContext(partitions, calls, timer, heartbeats, cycles, kinds, clock);
        renewals = new LeaseRenewer(servers, calls);
        sweeper = new Sweeper(servers, partitions, timer, process);
        String[] channels = partitions.all().stream()
                .map(each -> each.keys().wakeChannel(process))
                .toArray(String[]::new);
        wakeCalls = new HintListener(servers, channels, pending::hint);
    }

    /** Begins to listen for hints and to keep house. */
    RedisStoreEngine open() {
        wakeCalls.listen();
        timer.every(this::attend, ATTEND);
        timer.every(this::sendHeartbeats, HEARTBEAT);
        sweeper.start();
        return this;
    }

    void createNamespace() {
        servers.answers()
                .await(
                        Stages.all(partitions.all(), each -> servers.call(each, Script.CREATE)),
                        "Creating the namespace");
    }

    /** All partitions or none, unless a process begins to use one meanwhile. */
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

    SharedNumbers numbers() {
        return new RedisNumbers(servers, partitions.all().get(0));
    }

    LockSnapshot snapshot() {
        return sight.snapshot();
    }

    /** Asks every server that keeps a partition: without one of them some locks are unavailable. */
    void ping() {
        Map<Object, Partition> oneOfEach = new HashMap<>();
        partitions.all().forEach(each -> oneOfEach.putIfAbsent(servers.serverOf(each), each));
        servers.answers()
                .await(
                        Stages.all(oneOfEach.values(), each -> servers.call(each, Script.PING)),
                        "Asking Redis whether it works");
    }

    // ---- acquiring

    private RedisAcquisition begin(StoreRequest request, Executor teller) {
        partitions.requireWithinLongest(request.term());
        RedisAcquisition acquisition = new RedisAcquisition(request, context, teller, pending::remove);
        pending.add(acquisition); // before it asks, so that no hint finds it missing
        if (timer.isClosed()) {
            pending.remove(acquisition);
            throw ResponseLimit.closed();
        }
        acquisition.ask();
        return acquisition;
    }

    StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        if (request.waits() && Thread.interrupted()) {
            throw new InterruptedException("Interrupted before locking " + request.plan());
        }
        RedisAcquisition acquisition = begin(request, Runnable::run);
        return request.waits() ? await(acquisition) : nowOrNever(acquisition);
    }

    /** Isn't interrupted, because it waits for the server only. */
    private StoreAnswer nowOrNever(RedisAcquisition acquisition) {
        try {
            return servers.answers().await(acquisition.answer, "Locking " + acquisition.request.plan());
        } catch (LockException e) {
            acquisition.abandon(e);
            throw e;
        }
    }

    private StoreAnswer await(RedisAcquisition acquisition) throws InterruptedException {
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

    private static @Nullable StoreAnswer get(RedisAcquisition acquisition, long nanos) throws InterruptedException {
        try {
            return acquisition.answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw RedisErrors.of(e, "Locking " + acquisition.request.plan(), List.of());
        }
    }

    /** When the caller learns that the request has ended, nothing waits for it any more. */
    private void withdraw(RedisAcquisition acquisition, Throwable reason) {
        try {
            servers.answers().await(acquisition.abandon(reason), "Taking back a request");
        } catch (LockException e) {
            reason.addSuppressed(e);
        }
    }

    /** What is done with the answer is done by {@code executor}: it may call the store, for which a thread of the connection would wait. */
    CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor executor) {
        request.contended(); // later the caller is unknown
        return begin(request, executor).answer;
    }

    void cancel(StoreRequest request) {
        pending.hint(request.leaseId().toString());
    }

    // ---- afterwards

    boolean release(StoreGrant grant) {
        RedisGrant given = (RedisGrant) grant;
        return servers.answers().await(calls.tryRelease(given.slices()), "Releasing " + given.plan());
    }

    List<StoreGrant> renew(List<Renewal> extensions) {
        extensions.forEach(each -> partitions.requireWithinLongest(each.term()));
        return renewals.renew(extensions);
    }

    /** The servers that have to answer when a lease is renewed. */
    Set<Object> serversOf(StoreGrant grant) {
        return ((RedisGrant) grant)
                .slices().stream()
                        .map(slice -> servers.serverOf(slice.partition()))
                        .collect(Collectors.toSet());
    }

    // ---- housekeeping

    private void attend() {
        servers.attend();
        wakeCalls.listen();
    }

    private void sendHeartbeats() {
        context.heartbeats().send();
        calls.withdrawAgain();
    }

    /** Ends all requests with an error, and waits for a moment until the servers know. */
    @Override
    public void close() {
        timer.close();
        List<CompletionStage<?>> ends = new ArrayList<>(pending.endAll(ResponseLimit.closed()));
        ends.add(context.heartbeats().stop());
        try {
            CompletableFuture.allOf(ends.stream()
                            .map(CompletionStage::toCompletableFuture)
                            .toArray(CompletableFuture[]::new))
                    .get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Not all requests could be withdrawn on the server: they expire", e);
        }
        servers.close();
    }
}
