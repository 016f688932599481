package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockKey;
import dev.lockstep.etcd.rpc.Event;
import dev.lockstep.etcd.rpc.WatchCancelRequest;
import dev.lockstep.etcd.rpc.WatchCreateRequest;
import dev.lockstep.etcd.rpc.WatchGrpc;
import dev.lockstep.etcd.rpc.WatchRequest;
import dev.lockstep.etcd.rpc.WatchResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/*
 * All watches of a store share one stream. They are hints: when the stream breaks, when the member has no leader or is another one now, or when
 * what was watched for was compacted away, everything that watches is notified and reads again. A read comes first and then the
 * watch, from the revision behind the read, so nothing falls between the two.
 */

/** Waits for entries to be deleted, over one stream. */
final class Watches {
    private static final long REOPEN = TimeUnit.MILLISECONDS.toNanos(200);
    private static final long SHORT_LIVED = TimeUnit.SECONDS.toNanos(1);

    /** What waits for an entry to be deleted. Must not block. */
    interface Listener {
        /** The key of the entry. */
        LockKey awaits();

        /** The entry was deleted. Runs {@code then} when it has done what follows from that. */
        void deleted(Runnable then);

        /** Whether it was is unknown: read again. */
        void doubt();
    }

    /** One watched entry. */
    private static final class Watched {
        final ByteString entry;
        final ByteString lease;
        final long fromRevision;
        final boolean several;
        final Set<Listener> listeners = new LinkedHashSet<>();
        long id;

        Watched(ByteString entry, long fromRevision, boolean several) {
            this.entry = entry;
            lease = Entries.leaseOf(entry);
            this.fromRevision = fromRevision;
            this.several = several;
        }
    }

    private final EtcdClient client;
    private final EtcdTimer timer;
    private final LockClock clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<ByteString, Watched> byEntry = new HashMap<>();
    private final Map<Long, Watched> byId = new HashMap<>();
    private final Map<ByteString, Set<Watched>> byLease = new HashMap<>();
    private final ReleaseOrder order;
    private long lastId;
    private @Nullable Responses responses;
    private @Nullable StreamObserver<WatchRequest> requests;
    private long openedAt;

    Watches(EtcdClient client, EtcdTimer timer, LockClock clock) {
        this.client = client;
        this.timer = timer;
        this.clock = clock;
        order = new ReleaseOrder(timer, this::isWatched);
    }

    /**
     * Notifies a listener when an entry that was there before this revision is deleted. {@code several} says whether its lease guards several things.
     */
    void add(ByteString entry, long fromRevision, boolean several, Listener listener) {
        if (several && order.joins(Entries.leaseOf(entry), listener)) {
            return;
        }
        Responses opening = null;
        lock.lock();
        try {
            Watched watched = byEntry.get(entry);
            if (watched == null) {
                watched = new Watched(entry, fromRevision, several);
                byEntry.put(entry, watched);
                byLease.computeIfAbsent(watched.lease, any -> new HashSet<>()).add(watched);
                if (requests != null) {
                    create(watched, requests);
                } else if (responses == null) {
                    opening = new Responses(client.members().current());
                    responses = opening;
                }
            }
            watched.listeners.add(listener);
        } finally {
            lock.unlock();
        }
        if (opening != null) {
            open(opening);
        }
    }

    void remove(ByteString entry, Listener listener) {
        lock.lock();
        try {
            Watched watched = byEntry.get(entry);
            if (watched != null && watched.listeners.remove(listener) && watched.listeners.isEmpty()) {
                forget(watched);
                cancel(watched);
            }
        } finally {
            lock.unlock();
        }
    }

    private void forget(Watched watched) {
        byEntry.remove(watched.entry, watched);
        Set<Watched> ofLease = byLease.get(watched.lease);
        if (ofLease != null && ofLease.remove(watched) && ofLease.isEmpty()) {
            byLease.remove(watched.lease);
        }
    }

    /** This process has deleted these entries: no need to wait until etcd says so. */
    void deletedHere(Collection<ByteString> entries) {
        List<Watched> gone = new ArrayList<>();
        lock.lock();
        try {
            for (ByteString each : entries) {
                Watched watched = byEntry.get(each);
                if (watched != null) {
                    forget(watched);
                    cancel(watched);
                    gone.add(watched);
                }
            }
        } finally {
            lock.unlock();
        }
        gone.forEach(this::notifyOf);
    }

    private void notifyOf(Watched gone) {
        List<Listener> listeners = List.copyOf(gone.listeners);
        if (gone.several) {
            order.deleted(gone.lease, listeners);
        } else {
            listeners.forEach(each -> each.deleted(() -> {}));
        }
    }

    private boolean isWatched(ByteString lease) {
        lock.lock();
        try {
            return byLease.containsKey(lease);
        } finally {
            lock.unlock();
        }
    }

    /** In which order requests are served that waited for several locks of a lease. */
    ReleaseOrder order() {
        return order;
    }

    /** Moves to the member that is asked now. */
    void attend() {
        Responses old;
        lock.lock();
        try {
            old = responses;
        } finally {
            lock.unlock();
        }
        if (old != null && old.member != client.members().current()) {
            ended(old, Status.UNAVAILABLE.asRuntimeException());
        }
    }

    private void create(Watched watched, StreamObserver<WatchRequest> stream) {
        watched.id = ++lastId;
        byId.put(watched.id, watched);
        stream.onNext(WatchRequest.newBuilder()
                .setCreateRequest(WatchCreateRequest.newBuilder()
                        .setKey(watched.entry)
                        .setStartRevision(watched.fromRevision)
                        .addFilters(WatchCreateRequest.FilterType.NOPUT)
                        .setWatchId(watched.id))
                .build());
    }

    private void cancel(Watched watched) {
        StreamObserver<WatchRequest> stream = requests;
        if (byId.remove(watched.id) != null && stream != null) {
            stream.onNext(WatchRequest.newBuilder()
                    .setCancelRequest(WatchCancelRequest.newBuilder().setWatchId(watched.id))
                    .build());
        }
    }

    // ---- the stream

    private void open(Responses opening) {
        CompletionStage<?> unused = client.stream(WatchGrpc.getWatchMethod(), opening)
                .whenComplete((stream, error) -> {
                    if (error != null) {
                        ended(opening, EtcdErrors.causeOf(error));
                    } else {
                        opened(opening, stream);
                    }
                });
    }

    private void opened(Responses opening, StreamObserver<WatchRequest> stream) {
        lock.lock();
        try {
            if (responses != opening) {
                stream.onError(Status.CANCELLED.asRuntimeException());
                return;
            }
            requests = stream;
            openedAt = clock.nanos();
            byEntry.values().forEach(each -> create(each, stream));
        } finally {
            lock.unlock();
        }
    }

    private void reopen() {
        Responses opening;
        lock.lock();
        try {
            if (responses != null || byEntry.isEmpty()) {
                return;
            }
            opening = new Responses(client.members().current());
            responses = opening;
        } finally {
            lock.unlock();
        }
        open(opening);
    }

    /** Everything that was watched is read again, which watches again what is still there. */
    private void ended(Responses from, Throwable error) {
        List<Listener> notified = new ArrayList<>();
        StreamObserver<WatchRequest> stream;
        boolean soon;
        lock.lock();
        try {
            if (responses != from) {
                return;
            }
            byEntry.values().forEach(each -> notified.addAll(each.listeners));
            byEntry.clear();
            byId.clear();
            byLease.clear();
            stream = requests;
            soon = stream != null && clock.nanos() - openedAt > SHORT_LIVED && !EtcdErrors.isOldToken(error);
            requests = null;
            responses = null;
        } finally {
            lock.unlock();
        }
        client.streamEnded(from.member, error);
        if (stream != null) {
            stream.onError(Status.CANCELLED.asRuntimeException());
        }
        Runnable notify = () -> {
            notified.forEach(Listener::doubt);
            reopen();
        };
        if (soon) {
            notify.run();
        } else {
            Future<?> unused = timer.later(notify, REOPEN);
        }
    }

    /** A member refuses a watch, rather than the stream, when the token has expired with which the stream was opened. */
    private static boolean isRefused(WatchResponse response) {
        return response.getCanceled()
                && response.getCompactRevision() == 0
                && (response.getCreated() || response.getWatchId() < 0);
    }

    private static RuntimeException refused(WatchResponse response) {
        return Status.UNAUTHENTICATED
                .withDescription("a watch was refused, perhaps for an old token: " + response.getCancelReason())
                .asRuntimeException();
    }

    private void handle(Responses from, WatchResponse response) {
        if (isRefused(response)) {
            ended(from, refused(response));
            return;
        }
        List<Listener> doubtful = new ArrayList<>();
        Watched deleted = null;
        lock.lock();
        try {
            if (responses != from) {
                return;
            }
            Watched watched = byId.get(response.getWatchId());
            if (watched == null) {
                return;
            }
            boolean gone =
                    response.getEventsList().stream().anyMatch(event -> event.getType() == Event.EventType.DELETE);
            if (gone || response.getCanceled()) {
                forget(watched);
                if (response.getCanceled()) {
                    byId.remove(watched.id);
                } else {
                    cancel(watched);
                }
                if (gone) {
                    deleted = watched;
                } else {
                    doubtful.addAll(watched.listeners);
                }
            }
        } finally {
            lock.unlock();
        }
        if (deleted != null) {
            notifyOf(deleted);
        }
        doubtful.forEach(Listener::doubt);
    }

    /** Ends the stream. */
    void close() {
        StreamObserver<WatchRequest> stream;
        lock.lock();
        try {
            stream = requests;
            requests = null;
            responses = null;
            byEntry.clear();
            byId.clear();
            byLease.clear();
        } finally {
            lock.unlock();
        }
        if (stream != null) {
            stream.onError(Status.CANCELLED.asRuntimeException());
        }
    }

    private final class Responses implements StreamObserver<WatchResponse> {
        private final int member;

        Responses(int member) {
            this.member = member;
        }

        @Override
        public void onNext(WatchResponse response) {
            try {
                client.view().checkCluster(response.getHeader());
            } catch (RuntimeException e) {
                ended(this, e);
                return;
            }
            handle(this, response);
        }

        @Override
        public void onError(Throwable error) {
            ended(this, error);
        }

        @Override
        public void onCompleted() {
            ended(this, Status.UNAVAILABLE.asRuntimeException());
        }
    }
}
