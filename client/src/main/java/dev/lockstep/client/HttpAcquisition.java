package dev.lockstep.client;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.Deadline;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.RetryPolicy;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreRequest;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One request to a store, as one request to the server for each run of its plan. */
final class HttpAcquisition {
    private static final int LONGEST_OWNER = 200;
    private static final RetryPolicy PAUSES = RetryPolicy.exponential(Duration.ofMillis(50), 2, Duration.ofSeconds(1))
            .withJitter(0.5);

    private final ServerConnection connection;
    private final ServerLeases leases;
    private final HttpStoreOptions options;
    private final StoreRequest request;
    private final List<ServerLease> held = new ArrayList<>();
    private volatile boolean cancelled;
    private volatile boolean closed;
    private volatile @Nullable CompletableFuture<Reply> sent;

    HttpAcquisition(ServerConnection connection, ServerLeases leases, HttpStoreOptions options, StoreRequest request) {
        this.connection = connection;
        this.leases = leases;
        this.options = options;
        this.request = request;
    }

    /** Ends the wait, by closing the connection of the request that waits. */
    void cancel() {
        cancelled = true;
        CompletableFuture<Reply> waiting = sent;
        if (waiting != null) {
            waiting.cancel(true);
        }
    }

    /** Ends the request with an error, because its store is closed. */
    void close() {
        closed = true;
        cancel();
    }

    private void requireOpen() {
        if (closed) {
            throw new LockException(ErrorCode.CLOSED, "The store is closed. Nothing is held.", List.of(), null);
        }
    }

    /** Whether it is this request that waits, by what the server shows of it. */
    boolean waitsFor(String shownOwner, LockKey key) {
        return owner().equals(shownOwner)
                && request.plan().locks().stream().anyMatch(lock -> lock.key().equals(key));
    }

    OwnLease asLease() {
        return new OwnLease(request.leaseId(), request.callSite());
    }

    StoreAnswer run() throws InterruptedException {
        try {
            List<ModeRun> runs = ModeRun.of(request.plan());
            for (int i = 0; i < runs.size(); i++) {
                StoreBusy busy = acquire(runs.get(i), i);
                if (busy != null) {
                    leases.releaseQuietly(held);
                    return busy;
                }
            }
            return granted();
        } catch (InterruptedException | RuntimeException | Error e) {
            leases.releaseQuietly(held);
            throw e;
        }
    }

    /** After a wait the term is counted from a renewal: when the server granted the locks is known only to within the wait. */
    private HttpGrant granted() {
        HttpGrant grant = new HttpGrant(request.leaseId(), List.copyOf(held));
        leases.granted(grant, request.callSite());
        long sinceSent = request.clock().nanos() - request.startNanos();
        if (held.size() > 1 || sinceSent > request.term().toNanos() / 10) {
            request.markStart();
            if (!leases.renew(List.of(new Renewal(grant, request.term()))).isEmpty()) {
                throw new LockException(
                        ErrorCode.STORE_UNAVAILABLE,
                        "The lease ended at the server before its response arrived. Nothing is held. Ask again.",
                        List.of(),
                        null);
            }
        }
        return grant;
    }

    /** Acquires a run; returns what was in the way if it did not. */
    private @Nullable StoreBusy acquire(ModeRun run, int number) throws InterruptedException {
        for (int attempt = 0; ; attempt++) {
            requireOpen();
            Duration wait = wait(attempt);
            Reply reply = asked(body(run, number + "." + attempt, wait), wait);
            if (reply == null) {
                requireOpen();
                return busy(run, null);
            }
            if (reply.succeeded()) {
                held.add(ServerLease.of(reply));
                return null;
            }
            if (!reply.code().equals("lock-timeout") && !reply.code().equals("deadlock")) {
                throw reply.failure();
            }
            if (isOver()) {
                return busy(run, reply);
            }
            if (reply.code().equals("deadlock")) { // it came at once, and so would the next one
                pause(attempt);
            }
        }
    }

    /** The first request is sent without a wait: its answer is quick, and what waits then has been recorded as contended. */
    private Duration wait(int attempt) {
        if (!request.waits() || attempt == 0) {
            return Duration.ZERO;
        }
        request.contended();
        Duration left = request.deadline().remaining();
        return left.compareTo(options.longestWait()) < 0 ? left : options.longestWait();
    }

    private boolean isOver() {
        return !request.waits()
                || cancelled
                || request.isCancelled()
                || request.deadline().passed();
    }

    private Map<String, Object> body(ModeRun run, String number, Duration wait) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("keys", run.texts());
        body.put("mode", run.modeText());
        body.put("waitMs", wait.toMillis());
        body.put("leaseMs", ServerLeases.millis(request.term()));
        body.put("owner", owner());
        body.put("requestId", request.leaseId() + "/" + number);
        return body;
    }

    /** As the server accepts it. */
    private String owner() {
        String owner = request.owner().replaceAll("\\p{Cntrl}", " ").strip();
        return owner.length() > LONGEST_OWNER ? owner.substring(0, LONGEST_OWNER) : owner;
    }

    /** The server's reply, asked for again under the same request id while it is lost; null when the wait was cancelled. */
    private @Nullable Reply asked(Map<String, Object> body, Duration wait) throws InterruptedException {
        Deadline patience = Deadline.in(wait.plus(options.answerWithin()), request.clock());
        request.markStart();
        for (int attempt = 1; ; attempt++) {
            @Nullable IOException lost = null;
            try {
                Reply reply = askedOnce(body, wait);
                if (!reply.code().equals("request-under-way")) {
                    return reply;
                }
            } catch (IOException e) {
                lost = e;
            }
            if (cancelled || request.isCancelled()) {
                return null;
            }
            if (patience.passed()) {
                throw connection.unreachable(lost);
            }
            pause(attempt);
        }
    }

    private static void pause(int attempt) throws InterruptedException {
        Thread.sleep(PAUSES.pauseAfter(Math.max(1, attempt)).toMillis());
    }

    private Reply askedOnce(Map<String, Object> body, Duration wait) throws IOException, InterruptedException {
        CompletableFuture<Reply> reply = connection.post("api/locks", body, wait);
        sent = reply;
        if (cancelled || request.isCancelled()) {
            reply.cancel(true);
        }
        return connection.await(reply);
    }

    private StoreBusy busy(ModeRun run, @Nullable Reply reply) {
        PlannedLock first = new PlannedLock(run.keys().get(0), run.mode());
        return reply == null
                ? new StoreBusy(first, List.of())
                : new StoreBusy(waitedFor(run, reply.text("key"), first), blockers(reply));
    }

    private PlannedLock waitedFor(ModeRun run, String text, PlannedLock otherwise) {
        return request.plan().locks().stream()
                .filter(lock -> lock.key().toString().equals(text))
                .findFirst()
                .orElseGet(() -> above(run, text, otherwise));
    }

    /** An ancestor that another lease of this holder covers is no part of the plan. */
    private static PlannedLock above(ModeRun run, String text, PlannedLock otherwise) {
        for (LockKey key : run.keys()) {
            for (int up = 1; up < key.depth(); up++) {
                if (key.ancestor(up).toString().equals(text)) {
                    return new PlannedLock(key.ancestor(up), run.mode().intent());
                }
            }
        }
        return otherwise;
    }

    private List<Blocker> blockers(Reply reply) {
        return reply.list("blockers").stream()
                .flatMap(each -> SnapshotReader.blocker(each, leases).stream())
                .toList();
    }
}
