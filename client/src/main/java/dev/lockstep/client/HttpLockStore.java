package dev.lockstep.client;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.KindRegistry;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;

/**
 * Locks of a Lockstep server over HTTP, for programs that can't or may not reach its database: {@code Locks.on(HttpLockStore.at(url))} are renewed,
 * ordered and lost as on every store.
 *
 * <p>A response that is lost is asked for again under the same request id, so that nothing is acquired twice. If the server doesn't respond again, what it may
 * have granted ends with its term.
 */
public final class HttpLockStore implements LockStore {
    private final HttpStoreOptions options;
    private final ServerConnection connection;
    private final ServerLeases leases;
    private final KindRegistry kinds = new KindRegistry();
    private final Map<UUID, HttpAcquisition> running = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private HttpLockStore(HttpStoreOptions options) {
        this.options = options;
        connection = new ServerConnection(options);
        leases = new ServerLeases(connection);
    }

    /**
     * The locks of the server at this address, such as {@code http://127.0.0.1:7070}. It is asked at the first request.
     *
     * @throws dev.lockstep.core.InvalidRequestException if that is no address of a server
     */
    public static HttpLockStore at(String url) {
        return new HttpLockStore(HttpStoreOptions.of(url));
    }

    /** The same with the server's access token. */
    public HttpLockStore token(String token) {
        return new HttpLockStore(new HttpStoreOptions(
                options.server(), token.strip(), options.answerWithin(), options.longestWait(), options.tls()));
    }

    /** The same, waiting at most this long for a response of the server before it counts as unreachable; 5 seconds by default. */
    public HttpLockStore answerWithin(Duration time) {
        return new HttpLockStore(
                new HttpStoreOptions(options.server(), options.token(), time, options.longestWait(), options.tls()));
    }

    /**
     * The same, sending requests that wait at most this long, one after the other; 30 seconds by default. It must not be longer than the server's
     * {@code longest-wait}.
     */
    public HttpLockStore longestWait(Duration time) {
        return new HttpLockStore(
                new HttpStoreOptions(options.server(), options.token(), options.answerWithin(), time, options.tls()));
    }

    /** The same with these certificates, for a server with a private certificate authority. */
    public HttpLockStore tls(SSLContext certificates) {
        return new HttpLockStore(new HttpStoreOptions(
                options.server(), options.token(), options.answerWithin(), options.longestWait(), certificates));
    }

    @Override
    public String name() {
        return "http";
    }

    /**
     * What the API doesn't carry, whatever the server's store can do: intents above what is locked, a place in the queue beyond one request, the nesting of
     * leases, and the leases of waiting requests. A request that waits occupies a thread and a connection.
     */
    @Override
    public Set<StoreTrait> traits() {
        return Set.of(
                StoreTrait.TWO_MODES,
                StoreTrait.UNFAIR,
                StoreTrait.NO_DEADLOCK_REPORT,
                StoreTrait.PARTIAL_SIGHT,
                StoreTrait.FALSE_CONTENTION,
                StoreTrait.BLOCKING_WAITS);
    }

    @Override
    public void declare(List<KindDefinition> definitions) {
        kinds.declare(definitions);
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        HttpAcquisition acquisition = new HttpAcquisition(connection, leases, options, request);
        running.put(request.leaseId(), acquisition);
        if (closed) { // asked after the request can be seen, so that close() misses none
            acquisition.close();
        }
        try {
            return acquisition.run();
        } finally {
            running.remove(request.leaseId());
        }
    }

    @Override
    public void cancel(StoreRequest request) {
        HttpAcquisition acquisition = running.get(request.leaseId());
        if (acquisition != null) {
            acquisition.cancel();
        }
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return leases.renew(renewals);
    }

    /** The nodes that granted the leases: others may respond while these don't. */
    @Override
    public Object renewedWith(StoreGrant grant) {
        return ((HttpGrant) grant).nodes();
    }

    /**
     * There are none over HTTP, and without them processes can't agree on permits.
     *
     * @throws UnsupportedOperationException always
     */
    @Override
    public Optional<SharedNumbers> numbers() {
        throw new UnsupportedOperationException(
                "There are no permits over HTTP. Nothing is held. Use a store that this process reaches itself, or locks.");
    }

    @Override
    public boolean release(StoreGrant grant) {
        return leases.release((HttpGrant) grant);
    }

    @Override
    public LockSnapshot snapshot() {
        return new SnapshotReader(kinds.definitions(), leases, running.values()).read(asked("api/locks?limit=5000"));
    }

    @Override
    public void ping() {
        Reply unused = asked("api/status");
    }

    private Reply asked(String path) {
        try {
            Reply reply = connection.complete(connection.get(path));
            if (!reply.succeeded() || reply.body().isEmpty()) {
                throw reply.failure();
            }
            return reply;
        } catch (IOException e) {
            throw connection.unreachable(e);
        }
    }

    @Override
    public void close() {
        closed = true;
        running.values().forEach(HttpAcquisition::close);
    }

    @Override
    public String toString() {
        return "HttpLockStore at " + options.server();
    }
}
