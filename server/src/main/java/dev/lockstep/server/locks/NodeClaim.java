package dev.lockstep.server.locks;

import dev.lockstep.core.GrantsPausedException;
import dev.lockstep.core.KindMismatchException;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.core.Locks;
import dev.lockstep.core.NamedKind;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.locks.keys.OpenKeys;
import dev.lockstep.server.locks.restart.GrantGate;
import dev.lockstep.server.locks.restart.GrantGate.Name;
import dev.lockstep.spring.LockstepStartException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Holds this server's configured name as a lock on Redis, so that a second server of the same name doesn't start: each would report the other's leases as
 * expired. A server that crashed holds its name for {@link #TERM}, so a start waits for longer than that. A name that is lost while the server runs, with
 * the store, is acquired again; without its name the server grants nothing.
 */
@Component
final class NodeClaim implements SmartLifecycle {
    /** The kind of the names, which no client may lock. */
    static final String PREFIX = OpenKeys.SERVERS;

    static final Duration TERM = Duration.ofSeconds(5);
    private static final Logger LOG = LoggerFactory.getLogger(NodeClaim.class);
    private static final Kinds KIND = Kinds.of(new NamedKind(PREFIX, Integer.MAX_VALUE, Optional.empty(), true));
    private static final Duration LONGER_THAN_A_TERM = TERM.plusSeconds(2);
    private static final int BEFORE_THE_WEB_SERVER = WebServerApplicationContext.START_STOP_LIFECYCLE_PHASE - 1024;

    private final @Nullable LockStore store;
    private final String name;
    private final LockRequest request;
    private final GrantGate gate;
    private final ScheduledExecutorService again = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "lockstep-server-name");
        thread.setDaemon(true);
        return thread;
    });
    private volatile @Nullable Locks locks;
    private volatile @Nullable Lease held;

    /** What the last claim failed with: each kind of failure is logged once, not with each attempt. */
    private volatile @Nullable Class<?> logged;

    NodeClaim(ObjectProvider<LockStore> stores, ServerProperties properties, Node node, GrantGate gate) {
        @Nullable LockStore found = stores.getIfUnique();
        boolean needed =
                Node.isConfigured(properties) && found != null && found.name().equals("redis");
        store = needed ? found : null;
        name = node.name();
        request = LockRequest.exclusive(KIND.parse(PREFIX + ":" + name));
        this.gate = gate;
    }

    /** A snapshot without the names of servers, which are no locks of clients. */
    static LockSnapshot without(LockSnapshot seen) {
        return new LockSnapshot(
                seen.holders().stream()
                        .filter(each -> !isName(each.key().toString()))
                        .toList(),
                seen.waiters().stream()
                        .filter(each -> !isName(each.key().toString()))
                        .toList(),
                seen.fallback());
    }

    private static boolean isName(String key) {
        return key.startsWith(PREFIX + ":");
    }

    @Override
    public void start() {
        if (store == null) {
            return;
        }
        gate.name(Name.MISSING);
        Locks opened = Locks.builder(store) // the first claim declares the kind
                .leaveStoreOpen()
                .defaultTerm(TERM)
                .owner("the server '" + name + "'")
                .build();
        locks = opened;
        try {
            claimAtTheStart(opened);
        } catch (LockTimeoutException taken) {
            stop();
            throw new LockstepStartException(
                    "Another server on this store has the name '" + name + "'.",
                    "Write lockstep.server.node (--node of 'lockstep serve') with a name that no other server has, or leave it out: then"
                            + " each gets a random one.");
        } catch (KindMismatchException e) {
            stop();
            throw new LockstepStartException(
                    "The kind '" + PREFIX + "' is reserved for the names of servers. " + e.getMessage(),
                    "Use another lockstep.namespace; or leave lockstep.server.node out, for a random name.",
                    e.code(),
                    e);
        } catch (LockException e) {
            failed(opened, e);
        }
    }

    private void claimAtTheStart(Locks opened) {
        try {
            claimed(opened, opened.acquire(request.withoutWaiting()));
        } catch (LockTimeoutException held) {
            LOG.warn(
                    "The name '{}' is held, by another server or by a run that ended without a stop. Waiting up to {} s for it",
                    name,
                    LONGER_THAN_A_TERM.toSeconds());
            claimed(opened, opened.acquire(request.within(LONGER_THAN_A_TERM)));
        }
    }

    private void claimed(Locks opened, Lease lease) {
        held = lease;
        logged = null;
        gate.granted();
        gate.name(Name.HELD);
        var unused = lease.lost().thenRun(() -> {
            gate.name(Name.MISSING);
            LOG.warn("The name '{}' was lost with the store. Nothing is granted until it is held again", name);
            later(opened);
        });
    }

    /** Any error: one that ended the claims would keep the server without its name for good. */
    private void failed(Locks opened, RuntimeException error) {
        if (locks == null) {
            return; // stopped meanwhile
        }
        if (error instanceof GrantsPausedException paused) {
            gate.paused(paused.remaining());
        }
        gate.name(Name.MISSING);
        if (logged != error.getClass()) {
            logged = error.getClass();
            LOG.warn("The name '{}' is claimed as soon as the store allows it: {}", name, error.toString());
        }
        later(opened);
    }

    private void later(Locks opened) {
        if (locks != null && !again.isShutdown()) {
            var unused = again.schedule(() -> claimAgain(opened), 1, TimeUnit.SECONDS);
        }
    }

    private void claimAgain(Locks opened) {
        try {
            claimed(opened, opened.acquire(request.within(LONGER_THAN_A_TERM)));
        } catch (LockTimeoutException taken) {
            if (gate.name(Name.TAKEN)) {
                LOG.error(
                        "Another server on this store has the name '{}', so this one grants no locks. Correct lockstep.server.node",
                        name);
            }
            later(opened);
        } catch (RuntimeException e) {
            failed(opened, e);
        }
    }

    @Override
    public void stop() {
        @Nullable Locks opened = locks;
        locks = null;
        again.shutdownNow();
        @Nullable Lease lease = held;
        if (lease != null) {
            lease.close(); // to close the locks would leave it to its term
        }
        if (opened != null) {
            opened.close();
        }
    }

    @Override
    public boolean isRunning() {
        return locks != null;
    }

    @Override
    public int getPhase() {
        return BEFORE_THE_WEB_SERVER;
    }
}
