package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store at work: where requests are handed in, and what comes of them is handed out. */
final class EtcdStoreEngine implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(EtcdStoreEngine.class);

    /** Most waits have ended sooner. They are spared the record of the call site. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long ATTEND = TimeUnit.MILLISECONDS.toNanos(250);
    private static final long CLOSE_MILLIS = 1_000;

    private final EtcdClient client;
    private final EtcdNamespace namespace;
    private final LockClock clock = LockClock.system();
    private final EtcdTimer timer = new EtcdTimer();
    private final KeepAlives keepAlives;
    private final Watches watches;
    private final LeasePool leases;
    private final EtcdKinds kinds;
    private final EtcdLockInspector inspector;
    private final NamespaceMemory memory;
    private final EtcdLeaseRenewer renewer;
    private final LeaseReleaser releaser;
    private final EntryDeadlockSearch cycles;
    private final EtcdAcquisitionContext context;
    private final OpenAcquisitions pending = new OpenAcquisitions();

    EtcdStoreEngine(EtcdOptions options) {
        namespace = options.namespace();
        CallLimit limit = new CallLimit(options.address().toString(), options.answerWithin());
        Members members =
                new Members(options.address().members(), options.channelCredentials(), options.answerWithin());
        client = new EtcdClient(
                members,
                limit,
                options.address().credentials(),
                options.interceptors(),
                new ClusterView(this::memoryLost));
        keepAlives = new KeepAlives(client, clock);
        watches = new Watches(client, timer, clock);
        leases = new LeasePool(client, keepAlives, clock);
        kinds = new EtcdKinds(client, namespace);
        inspector = new EtcdLockInspector(client, namespace, kinds, clock);
        memory = new NamespaceMemory(client, leases, namespace, options.longestTerm(), clock, this::generationChanged);
        renewer = new EtcdLeaseRenewer(client, memory, leases, keepAlives, clock);
        releaser = new LeaseReleaser(client, memory, leases, watches, clock);
        cycles = new EntryDeadlockSearch(inspector, kinds);
        context = new EtcdAcquisitionContext(client, memory, leases, keepAlives, watches, cycles, timer, clock);
    }

    /** Begins to keep house. */
    EtcdStoreEngine open() {
        timer.every(this::attend, ATTEND);
        return this;
    }

    private void attend() {
        client.members().attend();
        keepAlives.attend();
        watches.attend();
        pending.attend();
        leases.attend();
    }

    private void memoryLost(String evidence) {
        memory.lost(evidence);
    }

    private CompletionStage<Void> generationChanged() {
        pending.doubt();
        return kinds.declareAgain();
    }

    /** Deletes all keys of the namespace, if nothing is held or waited for there. */
    boolean removeNamespace() {
        TxnRequest txn = TxnRequest.newBuilder()
                .addCompare(Requests.empty(namespace.firstEntry(), namespace.behindEntries()))
                .addSuccess(Requests.delete(
                        ByteString.copyFromUtf8(namespace.prefix()), ByteString.copyFromUtf8(namespace.end())))
                .build();
        return client.limit()
                .await(
                        client.linearizable(KVGrpc.getTxnMethod(), txn, TxnResponse::getHeader),
                        "Removing the namespace")
                .getSucceeded();
    }

    /** Begins a new generation. */
    void simulateRestore() {
        memory.lost("simulated");
        client.limit().await(memory.verify(), "Simulating a restore of the namespace");
    }

    void declare(List<KindDefinition> definitions) {
        kinds.declare(definitions);
    }

    LockSnapshot snapshot() {
        return inspector.snapshot();
    }

    EpochRegister epochs(String name) {
        return new EtcdEpochs(client, namespace, name, clock);
    }

    /** The cluster's id. */
    long cluster() {
        if (client.view().cluster() == 0) {
            ping();
        }
        return client.view().cluster();
    }

    SharedNumbers numbers() {
        return new EtcdNumbers(client, namespace);
    }

    /** Reads through consensus, which needs a majority of the members. */
    void ping() {
        String doing = "Asking etcd whether it works";
        client.limit().await(client.read(Requests.get(namespace.state())), doing);
    }

    // ---- acquiring

    private EtcdAcquisition begin(StoreRequest request, Executor teller) {
        memory.requireWithinLongest(request.term());
        EtcdAcquisition acquisition = new EtcdAcquisition(request, context, teller, pending::remove);
        pending.add(acquisition);
        if (timer.isClosed()) {
            pending.remove(acquisition);
            throw CallLimit.closed();
        }
        acquisition.proceed();
        return acquisition;
    }

    StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        if (request.waits() && Thread.interrupted()) {
            throw new InterruptedException("Interrupted before locking " + request.plan());
        }
        EtcdAcquisition acquisition = begin(request, Runnable::run);
        return request.waits() ? await(acquisition) : nowOrNever(acquisition);
    }

    /** Isn't interrupted, because it waits for etcd only. */
    private StoreAnswer nowOrNever(EtcdAcquisition acquisition) {
        try {
            return client.limit().await(acquisition.answer, "Locking " + acquisition.request.plan());
        } catch (LockException e) {
            CompletionStage<?> unused = acquisition.abandon(e);
            throw e;
        }
    }

    private StoreAnswer await(EtcdAcquisition acquisition) throws InterruptedException {
        StoreRequest request = acquisition.request;
        long grace = 3 * client.limit().within().toNanos();
        try {
            StoreAnswer answer = get(acquisition, MOMENT);
            if (answer == null) {
                request.contended();
            }
            while (answer == null) {
                answer = get(acquisition, Math.max(0, request.deadline().remainingNanos()) + grace);
                if (answer == null && request.deadline().passed()) {
                    throw client.limit().missing("Locking " + request.plan());
                }
            }
            return answer;
        } catch (InterruptedException | RuntimeException | Error e) {
            withdraw(acquisition, e);
            throw e;
        }
    }

    private static @Nullable StoreAnswer get(EtcdAcquisition acquisition, long nanos) throws InterruptedException {
        try {
            return acquisition.answer.get(nanos, TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return null;
        } catch (ExecutionException e) {
            throw EtcdErrors.of(e, "Locking " + acquisition.request.plan(), List.of());
        }
    }

    /** When the caller learns that the request has ended, nothing waits for it any more. */
    private void withdraw(EtcdAcquisition acquisition, Throwable reason) {
        try {
            client.limit().await(acquisition.abandon(reason), "Withdrawing a request");
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
        pending.proceed(request.leaseId());
    }

    // ---- afterwards

    boolean release(StoreGrant grant) {
        return client.limit().await(releaser.release((EtcdGrant) grant), "Releasing " + grant);
    }

    List<StoreGrant> renew(List<Renewal> extensions) {
        extensions.forEach(each -> memory.requireWithinLongest(each.term()));
        return renewer.renew(extensions);
    }

    /** Ends all requests with an error, and waits for a moment until etcd knows. */
    @Override
    public void close() {
        timer.close();
        List<CompletionStage<?>> ends = new ArrayList<>(pending.endAll(CallLimit.closed()));
        ends.addAll(leases.close());
        try {
            CompletableFuture.allOf(ends.stream()
                            .map(CompletionStage::toCompletableFuture)
                            .toArray(CompletableFuture[]::new))
                    .get(CLOSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Not all requests could be withdrawn: they expire", e);
        }
        keepAlives.close();
        watches.close();
        cycles.close();
        client.close();
    }
}
