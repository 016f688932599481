package dev.lockstep.etcd;

import dev.lockstep.core.LockClock;
import dev.lockstep.etcd.rpc.LeaseGrpc;
import dev.lockstep.etcd.rpc.LeaseKeepAliveRequest;
import dev.lockstep.etcd.rpc.LeaseKeepAliveResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Extends leases over a few streams. A member answers the requests of a stream one after the other, in order. A stream without an answer is
 * closed: everything that was asked on it counts as unanswered.
 */
final class KeepAlives {
    /** Leases that are renewed in one call share this many streams. */
    private static final int STREAMS_PER_GROUP = 4;

    private static final int GROUPS = 8;
    private static final int STREAMS = STREAMS_PER_GROUP * GROUPS;

    /** One request, and the future of whether the lease still lives. */
    private record Asked(EtcdLease lease, EtcdLease.Start sent, CompletableFuture<Boolean> alive) {}

    private final EtcdClient client;
    private final LockClock clock;
    private final Line[] lines = new Line[STREAMS];

    KeepAlives(EtcdClient client, LockClock clock) {
        this.client = client;
        this.clock = clock;
        for (int i = 0; i < STREAMS; i++) {
            lines[i] = new Line();
        }
    }

    /** Extends a lease from now on; completes with false if it has ended, and fails if that can't be known. */
    CompletableFuture<Boolean> extend(EtcdLease lease) {
        return lines[lineOf(lease)].ask(lease);
    }

    private static int lineOf(EtcdLease lease) {
        return (int) Math.floorMod(lease.id() ^ (lease.id() >>> 17), (long) STREAMS);
    }

    /** Leases of the same group share streams, so that each group can be renewed in a separate call. */
    static int groupOf(EtcdLease lease) {
        return lineOf(lease) / STREAMS_PER_GROUP;
    }

    /** Closes streams on which nothing was answered for too long. */
    void attend() {
        for (Line each : lines) {
            each.attend();
        }
    }

    void close() {
        for (Line each : lines) {
            each.fail(
                    each.opened(),
                    Status.CANCELLED.withDescription("the store is closed").asRuntimeException());
        }
    }

    /** One stream at a time, opened at need. */
    private final class Line {
        private final ReentrantLock lock = new ReentrantLock();
        private final Deque<Asked> asked = new ArrayDeque<>();
        private final List<Asked> waiting = new ArrayList<>();
        private @Nullable Responses responses;
        private @Nullable StreamObserver<LeaseKeepAliveRequest> requests;
        private boolean hasAnswered;
        private long answeredAt;

        CompletableFuture<Boolean> ask(EtcdLease lease) {
            Asked next = new Asked(lease, EtcdLease.Start.now(clock), new CompletableFuture<>());
            Responses opening = null;
            lock.lock();
            try {
                StreamObserver<LeaseKeepAliveRequest> open = requests;
                if (open != null) {
                    asked.add(next);
                    open.onNext(request(next));
                } else {
                    waiting.add(next);
                    if (responses == null) {
                        opening = new Responses(this, client.members().current());
                        responses = opening;
                    }
                }
            } finally {
                lock.unlock();
            }
            if (opening != null) {
                open(opening);
            }
            return next.alive();
        }

        private void open(Responses opening) {
            CompletionStage<?> unused = client.stream(LeaseGrpc.getLeaseKeepAliveMethod(), opening)
                    .whenComplete((stream, error) -> {
                        if (error != null) {
                            fail(opening, EtcdErrors.causeOf(error));
                        } else {
                            opened(opening, stream);
                        }
                    });
        }

        private void opened(Responses opening, StreamObserver<LeaseKeepAliveRequest> stream) {
            lock.lock();
            try {
                if (responses != opening) {
                    stream.onError(Status.CANCELLED.asRuntimeException());
                    return;
                }
                requests = stream;
                for (Asked each : waiting) {
                    asked.add(each);
                    stream.onNext(request(each));
                }
                waiting.clear();
            } finally {
                lock.unlock();
            }
        }

        @Nullable
        Responses opened() {
            lock.lock();
            try {
                return responses;
            } finally {
                lock.unlock();
            }
        }

        private static LeaseKeepAliveRequest request(Asked asked) {
            return LeaseKeepAliveRequest.newBuilder().setID(asked.lease().id()).build();
        }

        void answered(Responses from, LeaseKeepAliveResponse response) {
            Asked first;
            lock.lock();
            try {
                if (responses != from) {
                    return;
                }
                first = asked.poll();
                hasAnswered = true;
                answeredAt = clock.nanos();
            } finally {
                lock.unlock();
            }
            if (first == null || first.lease().id() != response.getID()) {
                if (first != null) {
                    first.alive().completeExceptionally(outOfOrder());
                }
                fail(from, outOfOrder());
                return;
            }
            try {
                client.view().checkCluster(response.getHeader());
            } catch (RuntimeException e) {
                first.alive().completeExceptionally(e);
                return;
            }
            boolean alive = response.getTTL() > 0;
            if (alive) {
                first.lease().extended(first.sent());
            }
            first.alive().complete(alive);
        }

        private static RuntimeException outOfOrder() {
            return Status.INTERNAL
                    .withDescription("the answer to a keep-alive names another lease")
                    .asRuntimeException();
        }

        void attend() {
            Responses silent = null;
            lock.lock();
            try {
                Asked first = asked.isEmpty() ? (waiting.isEmpty() ? null : waiting.get(0)) : asked.peek();
                if (first != null
                        && sinceProgress(first) > client.limit().within().toNanos()) {
                    silent = responses;
                }
            } finally {
                lock.unlock();
            }
            if (silent != null) {
                client.members().failed(silent.member);
                fail(
                        silent,
                        Status.DEADLINE_EXCEEDED
                                .withDescription("a keep-alive was not answered")
                                .asRuntimeException());
            }
        }

        /** Of many requests that were sent at once, the last one is answered long after it was sent. */
        private long sinceProgress(Asked first) {
            long now = clock.nanos();
            long waiting = now - first.sent().nanos();
            return hasAnswered ? Math.min(waiting, now - answeredAt) : waiting;
        }

        void fail(@Nullable Responses broken, Throwable error) {
            List<Asked> failed = new ArrayList<>();
            StreamObserver<LeaseKeepAliveRequest> stream;
            lock.lock();
            try {
                if (broken == null || responses != broken) {
                    return;
                }
                failed.addAll(asked);
                failed.addAll(waiting);
                asked.clear();
                waiting.clear();
                stream = requests;
                requests = null;
                responses = null;
                hasAnswered = false;
            } finally {
                lock.unlock();
            }
            if (stream != null) {
                stream.onError(Status.CANCELLED.asRuntimeException());
            }
            failed.forEach(each -> each.alive().completeExceptionally(error));
        }
    }

    private final class Responses implements StreamObserver<LeaseKeepAliveResponse> {
        private final Line line;
        private final int member;

        Responses(Line line, int member) {
            this.line = line;
            this.member = member;
        }

        @Override
        public void onNext(LeaseKeepAliveResponse response) {
            line.answered(this, response);
        }

        @Override
        public void onError(Throwable error) {
            client.streamEnded(member, error);
            line.fail(this, error);
        }

        @Override
        public void onCompleted() {
            line.fail(
                    this,
                    Status.UNAVAILABLE
                            .withDescription("the member ended the stream")
                            .asRuntimeException());
        }
    }
}
