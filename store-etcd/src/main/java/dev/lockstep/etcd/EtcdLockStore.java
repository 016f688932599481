package dev.lockstep.etcd;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.core.spi.Lazy;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.SharedNumbers;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.core.spi.StoreTrait;
import io.grpc.ChannelCredentials;
import io.grpc.ClientInterceptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Locks on an etcd cluster: five modes, first come first served across processes, and no lock is lost or granted twice as long as a majority of
 * the members works. A lock costs one round trip, its release another.
 *
 * <p>The fencing token is the revision that consensus gave to the grant, above a floor that is recorded in the namespace. Configure before the first
 * use: each of the methods that do returns another store.
 */
public final class EtcdLockStore implements LockStore {
    private final EtcdOptions options;
    private final Lazy<EtcdStoreEngine> engine;

    private EtcdLockStore(EtcdOptions options) {
        this.options = options;
        engine = new Lazy<>("The etcd store", () -> new EtcdStoreEngine(options).open());
    }

    /**
     * Locks on the cluster with these members, such as {@code etcd://host1:2379,host2:2379,host3:2379} or
     * {@code etcd://user:password@host:2379}; {@code etcds://} uses TLS. One member at a time is asked, and the next one if it doesn't
     * answer.
     *
     * @throws InvalidRequestException if that is not an address
     */
    public static EtcdLockStore at(String url) {
        return new EtcdLockStore(EtcdOptions.of(EtcdAddress.parse(url)));
    }

    /** The same as this user of etcd. */
    public EtcdLockStore user(String user, String password) {
        return new EtcdLockStore(options.withUser(user, password));
    }

    /** The same in another namespace: locks of different namespaces never meet. {@code default} by default. */
    public EtcdLockStore namespace(String name) {
        return new EtcdLockStore(options.withNamespace(name));
    }

    /**
     * The same with this longest lease term, 30 seconds by default; it must be the same in all processes. After a restore from a backup nothing
     * is granted for this long.
     */
    public EtcdLockStore longestTerm(Duration term) {
        return new EtcdLockStore(options.withLongestTerm(term));
    }

    /** The same, waiting at most this long for a response before a member counts as unreachable; 5 seconds by default. */
    public EtcdLockStore answerWithin(Duration time) {
        return new EtcdLockStore(options.withAnswerWithin(time));
    }

    /**
     * The same with these certificates, for members with a private certificate authority or that require a certificate of the client:
     * {@code io.grpc.TlsChannelCredentials.newBuilder().trustManager(caFile).keyManager(certificateFile, keyFile).build()}. The address
     * must begin with {@code etcds:}.
     */
    public EtcdLockStore tls(ChannelCredentials certificates) {
        return new EtcdLockStore(options.withTls(certificates));
    }

    /**
     * Removes what etcd knows of the namespace, if nothing is held or waited for in it, and returns whether it did. For tests and
     * trials that have ended: stores that are still open there would bring it back.
     */
    public boolean removeNamespace() {
        return engine.get().removeNamespace();
    }

    /**
     * Leaves the namespace as a restore from a backup does that lost its leases: etcd knows none of them, and nothing is granted until the
     * longest lease term has passed. Every lease of the namespace is lost, and its holder is notified at the next renewal. For tests and
     * trials of what happens then. Other namespaces are not touched.
     *
     * @throws dev.lockstep.core.LockException if etcd can't be reached
     */
    public void simulateRestore() {
        engine.get().simulateRestore();
    }

    EtcdLockStore intercepted(ClientInterceptor interceptor) {
        return new EtcdLockStore(options.withInterceptor(interceptor));
    }

    // ---- the store

    @Override
    public String name() {
        return "etcd";
    }

    @Override
    public Set<StoreTrait> traits() {
        return Set.of();
    }

    @Override
    public void declare(List<KindDefinition> kinds) {
        engine.get().declare(kinds);
    }

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        return engine.get().acquire(request);
    }

    @Override
    public CompletableFuture<StoreAnswer> acquireAsync(StoreRequest request, Executor blocking) {
        return engine.get().acquireAsync(request, blocking);
    }

    @Override
    public void cancel(StoreRequest request) {
        engine.get().cancel(request);
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return engine.get().renew(renewals);
    }

    /** Leases that are kept alive over the same streams are renewed together. */
    @Override
    public Object renewedWith(StoreGrant grant) {
        return EtcdLeaseRenewer.renewedWith((EtcdGrant) grant);
    }

    @Override
    public boolean release(StoreGrant grant) {
        return engine.get().release(grant);
    }

    @Override
    public LockSnapshot snapshot() {
        return engine.get().snapshot();
    }

    @Override
    public void ping() {
        engine.get().ping();
    }

    /** The cluster's id, which is asked for if need be: there are many addresses of one cluster. */
    @Override
    public Optional<String> identity() {
        return Optional.of("etcd " + Long.toHexString(engine.get().cluster()) + "/"
                + options.namespace().name());
    }

    /** Processes may find one cluster through different members, so that only the namespace can be compared. */
    @Override
    public Optional<String> address() {
        return Optional.of("etcd " + options.namespace().name());
    }

    @Override
    public Optional<EpochRegister> epochs(String name) {
        return Optional.of(engine.get().epochs(name));
    }

    @Override
    public Optional<SharedNumbers> numbers() {
        return Optional.of(engine.get().numbers());
    }

    @Override
    public void close() {
        engine.close(EtcdStoreEngine::close);
    }
}
