package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.GrantsPausedException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreDeadlock;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.etcd.NamespaceMemory.TokenGeneration;
import dev.lockstep.etcd.rpc.Compare;
import dev.lockstep.etcd.rpc.KVGrpc;
import dev.lockstep.etcd.rpc.KeyValue;
import dev.lockstep.etcd.rpc.TxnRequest;
import dev.lockstep.etcd.rpc.TxnResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/*
 * One request on its way
 * ----------------------
 * It takes what is free and a place in the queue of the first lock that is not (`TakeCall`). Then it watches the nearest entry ahead
 * of its own for its deletion, and confirms: one transaction reads whether an earlier conflicting entry is left and writes the own entry
 * again. If none is left, the lock is held, because no entry can come in front of it any more, and the token is the revision of that write; the
 * revision at which it was queued could be below that of a holder before it. The rest of the plan is taken in the same way.
 *
 * One step is under way at a time; whatever happens during it only notes that there is another one to do. The step to SETTLED is taken under the
 * lock, where the moment is marked from which the holder counts its term: the one at which the last call was sent that granted or extended
 * the lease of etcd, never that of a transaction.
 *
 * Lost responses. To confirm twice does no harm: it changes nothing but the entry's last revision, and only as long as the entry is there, attached to the
 * same lease of etcd. A take whose response is lost may be carried out later, so the lease of etcd that it names is revoked first, until
 * that is answered: the entries are gone then, a late take finds no lease, and the request starts again at the end of the queue.
 */
final class EtcdAcquisition implements Watches.Listener {
    private static final long READ_AGAIN = TimeUnit.SECONDS.toNanos(20);
    private static final long CALL_SITE = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long FIRST_LOOK = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long LONGEST_LOOK = TimeUnit.SECONDS.toNanos(20);
    private static final long RETRY = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long LONGEST_PAUSE = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int RENEWALS_PER_LIFE = 3;
    private static final int MOST_FAILURES = 3;

    private enum State {
        /** The timer, a deletion or a cancel starts the next step. */
        IDLE,
        BUSY,
        /** An answer was decided on. */
        SETTLED,
        /** The caller won't take any answer. */
        ABANDONED
    }

    /** What the step under way sent last. */
    private enum Sent {
        NOTHING,
        TAKE,
        CONFIRM
    }

    /** What comes after a step. */
    private sealed interface Next {}

    /** The next step at once. */
    private record Proceed() implements Next {}

    /** The next step when something happens, or after this long. */
    private record Pause(long nanos) implements Next {}

    private record Grant(long revision, EtcdLease.Start sent) implements Next {}

    private record Refuse(StoreBusy busy) implements Next {}

    private static final CompletableFuture<Next> AGAIN = CompletableFuture.completedFuture(new Proceed());

    /** What the caller waits for. Cancelling it takes the request out of the queue. */
    private final class Answer extends CompletableFuture<StoreAnswer> {
        @Override
        public boolean cancel(boolean mayInterruptIfRunning) {
            boolean cancelled = super.cancel(mayInterruptIfRunning);
            if (cancelled) {
                withdraw();
            }
            return cancelled;
        }
    }

    final StoreRequest request;
    final CompletableFuture<StoreAnswer> answer = new Answer();
    private final EtcdAcquisitionContext context;
    private final Consumer<EtcdAcquisition> ended;
    private final Executor teller;
    private final EntryPlan plan;
    private final ReentrantLock lock = new ReentrantLock();
    private State state = State.IDLE;
    private boolean again;
    private @Nullable Future<?> timer;

    // Of the step under way, or of the next one.
    private volatile @Nullable EtcdLease lease;
    private volatile boolean used;
    private volatile @Nullable EtcdLease endedLease;
    private volatile @Nullable EtcdLease revoking;
    private volatile @Nullable TokenGeneration generation;
    private volatile Sent sent = Sent.NOTHING;
    private int failures; // steps follow each other through the lock

    // How far it has come: the locks before `held` are held, and the one at `at` is waited for, if that is not
    // negative.
    private volatile int held;
    private volatile int at = -1;
    private volatile long firstCreated;
    private volatile long lastCreated;
    private volatile @Nullable ByteString watched;
    private volatile boolean several;
    private volatile boolean deleted;
    private final Afterwards afterStep = new Afterwards();
    private volatile boolean looks;
    private volatile long lookAt;
    private volatile long lookIn = FIRST_LOOK;
    private volatile boolean sentCallSite;
    private volatile @Nullable DeadlockReport deadlock;

    /** {@code teller} runs what is done with the answer; {@code ended} runs when nothing more will be sent. */
    EtcdAcquisition(
            StoreRequest request, EtcdAcquisitionContext context, Executor teller, Consumer<EtcdAcquisition> ended) {
        this.request = request;
        this.context = context;
        this.teller = teller;
        this.ended = ended;
        plan = new EntryPlan(context.namespace(), request.plan(), request.leaseId());
    }

    // ---- steps

    /** Does the next step, unless one is under way: then another one follows. */
    void proceed() {
        lock.lock();
        try {
            if (state != State.IDLE) {
                again = again || state == State.BUSY;
                return;
            }
            state = State.BUSY;
            again = false;
            stopTimer();
        } finally {
            lock.unlock();
        }
        step();
    }

    private void step() {
        CompletableFuture<Next> next;
        sent = Sent.NOTHING;
        try {
            next = nextStep();
        } catch (RuntimeException e) {
            next = CompletableFuture.failedFuture(e);
        }
        CompletionStage<?> unused = next.whenComplete(this::stepped);
    }

    private CompletableFuture<Next> nextStep() {
        EtcdLease old = revoking;
        if (old != null) {
            return context.leases().revoke(old).thenCompose(existed -> {
                revoking = null;
                return AGAIN;
            });
        }
        EtcdLease current = lease;
        return current != null && at >= 0
                ? waiting(current)
                : context.memory()
                        .current()
                        .thenCompose(this::taking); // fails while nothing is granted, before a lease is used
    }

    private CompletableFuture<Next> taking(TokenGeneration now) {
        EtcdLease current = lease;
        if (current == null) {
            return context.leases()
                    .take(EtcdLease.secondsFor(request.term().toNanos()))
                    .thenCompose(this::leased);
        }
        if (current.age(context.clock()) > LeasePool.FRESH) {
            return context.keepAlives().extend(current).thenCompose(alive -> alive ? AGAIN : startAnew());
        }
        return held > 0 && !now.equals(generation) ? startAnew() : take(now, current);
    }

    private CompletableFuture<Next> leased(EtcdLease fresh) {
        lock.lock();
        try {
            if (state != State.ABANDONED) {
                lease = fresh;
                used = false;
                return AGAIN;
            }
        } finally {
            lock.unlock();
        }
        context.leases().giveBack(fresh);
        return AGAIN;
    }

    /** Whether a call that names the lease may be sent: not after the request was withdrawn, because its lease was returned then. */
    private boolean mayUse(EtcdLease current, Sent what) {
        lock.lock();
        try {
            if (state == State.ABANDONED || lease != current) {
                return false;
            }
            used = true;
            sent = what;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private boolean keepsWaiting() {
        return request.waits()
                && !request.isCancelled()
                && deadlock == null
                && !context.timer().isClosed()
                && !answer.isDone()
                && !request.deadline().passed();
    }

    private void stepped(@Nullable Next next, @Nullable Throwable error) {
        sentUnanswered(error);
        Next what = next != null ? next : afterError(error);
        boolean more = false;
        boolean abandoned = false;
        EtcdGrant made = null;
        lock.lock();
        try {
            if (state == State.ABANDONED) {
                abandoned = true;
            } else if (what instanceof Grant granted) {
                state = State.SETTLED;
                mark(granted);
                made = grant(granted);
            } else if (what instanceof Refuse) {
                state = State.SETTLED;
            } else if (what instanceof Pause pause && !again) {
                state = State.IDLE;
                long left = request.deadline().remainingNanos();
                timer = context.timer().later(this::proceed, Math.max(0, Math.min(pause.nanos(), left)));
            } else {
                again = false;
                more = what != null;
            }
        } finally {
            lock.unlock();
        }
        if (abandoned || !more) {
            afterStep.run();
        }
        if (abandoned) {
            return;
        }
        if (what == null) {
            Throwable cause = EtcdErrors.causeOf(error == null ? new IllegalStateException("no result") : error);
            CompletionStage<?> unused = withdraw(); // also if the executor refuses the rest
            teller.execute(() -> answer.completeExceptionally(EtcdErrors.of(cause, "Locking " + plan, plan.keys())));
        } else if (made != null) {
            settle(made);
        } else if (what instanceof Refuse refused) {
            refuse(refused.busy());
        } else if (more) {
            step();
        }
    }

    /** What may have been applied although it was not answered decides how to continue. */
    private void sentUnanswered(@Nullable Throwable error) {
        EtcdLease current = lease;
        if (error == null || current == null || sent == Sent.NOTHING) {
            return;
        }
        if (EtcdErrors.isLeaseGone(error)) {
            forgetProgress(null); // its entries are gone with it
        } else if (EtcdErrors.isUnanswered(error)) {
            current.taint();
            if (sent == Sent.TAKE) {
                forgetProgress(current);
            }
        }
    }

    /** What comes after an error; null if it ends the request. */
    private @Nullable Next afterError(@Nullable Throwable error) {
        Throwable cause = EtcdErrors.causeOf(error == null ? new IllegalStateException("no result") : error);
        if (cause instanceof GrantsPausedException paused) {
            long left = paused.remaining().toNanos();
            return keepsWaiting() ? new Pause(Math.min(left, LONGEST_PAUSE)) : null;
        }
        failures++;
        if (EtcdErrors.isLeaseGone(cause) && failures <= MOST_FAILURES) {
            return new Proceed();
        }
        return EtcdErrors.isUnavailable(cause) && keepsWaiting()
                ? new Pause(Math.min(RETRY << Math.min(failures, 4), LONGEST_PAUSE))
                : null;
    }

    // ---- taking

    private CompletableFuture<Next> take(TokenGeneration now, EtcdLease current) {
        generation = now;
        EtcdLease.Start before = EtcdLease.Start.now(context.clock());
        sentCallSite = request.callSite().isPresent();
        TakeCall call = new TakeCall(plan, now, context.namespace(), value(), current.id(), held, ownEntries());
        if (!mayUse(current, Sent.TAKE)) {
            return AGAIN;
        }
        boolean queues = keepsWaiting();
        long number = context.watches().order().taking();
        CompletableFuture<TakeCall.Reply> reply = queues && call.fitsNested()
                ? send(call.nested()).thenApply(call::readNested)
                : send(call.chunk())
                        .thenApply(call::readChunk)
                        .thenCompose(found -> queues ? queueAt(call, found) : CompletableFuture.completedFuture(found));
        return reply.thenCompose(found -> taken(found, before, queues))
                .whenComplete((next, error) -> context.watches().order().taken(number));
    }

    private CompletableFuture<TakeCall.Reply> queueAt(TakeCall call, TakeCall.Reply found) {
        return found instanceof TakeCall.Blocked blocked
                ? send(call.queueing(blocked.at())).thenApply(response -> call.readQueueing(response, blocked.at()))
                : CompletableFuture.completedFuture(found);
    }

    private CompletableFuture<TxnResponse> send(TxnRequest txn) {
        return context.client().linearizable(KVGrpc.getTxnMethod(), txn, TxnResponse::getHeader);
    }

    private ByteString value() {
        return EntryRecord.text(request, request.clock().millis());
    }

    /** One own entry stands for all: they live and die with the lease of etcd. */
    private Optional<Compare> ownEntries() {
        return held == 0 ? Optional.empty() : Optional.of(Requests.created(plan.own(held - 1), lastCreated));
    }

    private CompletableFuture<Next> taken(TakeCall.Reply reply, EtcdLease.Start before, boolean queued) {
        sent = Sent.NOTHING;
        if (reply instanceof TakeCall.Taken taken) {
            created(taken.revision());
            held = taken.end();
            return held == plan.size() ? granted(taken.revision(), before) : AGAIN;
        }
        if (reply instanceof TakeCall.Queued place) {
            created(place.revision());
            held = place.at();
            at = place.at();
            beginWait();
            return behind(place.ahead(), place.revision());
        }
        if (reply instanceof TakeCall.Blocked blocked) {
            return queued
                    ? AGAIN // another request came first, and the set is read again
                    : refusal(blocked.at(), blocked.blockers());
        }
        return held == 0 ? context.memory().look().thenCompose(now -> AGAIN) : startAnew();
    }

    private void created(long revision) {
        if (held == 0) {
            firstCreated = revision;
        }
        lastCreated = revision;
        failures = 0;
    }

    private CompletableFuture<Next> granted(long revision, EtcdLease.Start before) {
        context.memory().granted(revision);
        return CompletableFuture.completedFuture(new Grant(revision, before));
    }

    private CompletableFuture<Next> refusal(int lockAt, List<KeyValue> blockers) {
        return CompletableFuture.completedFuture(
                new Refuse(TakeCall.busy(context.namespace(), plan, lockAt, blockers)));
    }

    /** The own entries are gone, or must go: another lease of etcd, and the end of the queue. */
    private CompletableFuture<Next> startAnew() {
        forgetProgress(lease);
        failures++;
        if (failures > MOST_FAILURES && !keepsWaiting()) {
            return CompletableFuture.failedFuture(new LockException(
                    ErrorCode.STORE_UNAVAILABLE,
                    "Locking " + plan
                            + " failed: its entries in etcd are deleted again and again. Nothing is held. Try again.",
                    plan.keys(),
                    null));
        }
        return failures <= MOST_FAILURES
                ? AGAIN
                : CompletableFuture.completedFuture(new Pause(Math.min(RETRY << Math.min(failures, 4), LONGEST_PAUSE)));
    }

    /** {@code toRevoke} is revoked before anything is taken again under the same names. */
    private void forgetProgress(@Nullable EtcdLease toRevoke) {
        unwatch();
        lock.lock();
        try {
            if (state == State.ABANDONED) {
                return;
            }
            revoking = toRevoke;
            lease = null;
            used = false;
            held = 0;
            at = -1;
            deleted = false;
        } finally {
            lock.unlock();
        }
    }

    // ---- waiting

    private void beginWait() {
        if (!looks && (at > 0 || !request.outer().isEmpty())) { // a request that holds nothing blocks no other
            looks = true;
            lookAt = System.nanoTime() + lookIn;
        }
    }

    private CompletableFuture<Next> waiting(EtcdLease current) {
        if (endedLease == current) {
            return startAnew(); // its entries are gone with it
        }
        if (looks && keepsWaiting() && System.nanoTime() - lookAt >= 0) {
            return lookForCycle();
        }
        boolean last = !keepsWaiting();
        boolean reports = looks && !sentCallSite && request.callSite().isPresent();
        return last || reports || (deleted && !several) ? confirm(current, last) : readAhead(current);
    }

    private CompletableFuture<Next> lookForCycle() {
        lookIn = Math.min(2 * lookIn, LONGEST_LOOK);
        lookAt = System.nanoTime() + lookIn;
        return context.cycles().find(request.leaseId()).handle((report, error) -> {
            if (report != null && report.isPresent() && report.get().victim().equals(request.leaseId())) {
                deadlock = report.get();
            }
            return new Proceed();
        });
    }

    /** As long as the nearest entry is there, nothing else matters; to read one entry costs etcd less than to sort a queue. */
    private CompletableFuture<Next> readAhead(EtcdLease current) {
        ByteString nearest = watched;
        return nearest == null || deleted
                ? readQueue(current)
                : context.client()
                        .read(Requests.get(nearest).toBuilder()
                                .setMaxCreateRevision(lastCreated - 1)
                                .build())
                        .thenCompose(found -> found.getKvsCount() == 0
                                ? readQueue(current)
                                : watch(found.getKvs(0), found.getHeader().getRevision()));
    }

    private CompletableFuture<Next> readQueue(EtcdLease current) {
        return context.client()
                .read(Requests.latest(plan.from(at), plan.to(at), 2)
                        .setMaxCreateRevision(lastCreated - 1)
                        .build())
                .thenCompose(found -> found.getKvsCount() == 0
                        ? confirm(current, false)
                        : behind(found.getKvsList(), found.getHeader().getRevision()));
    }

    /** What was queued before etcd lost its memory is not granted: a holder may have been forgotten that still counts on its lease. */
    private CompletableFuture<Next> confirm(EtcdLease current, boolean last) {
        return context.memory()
                .current()
                .thenCompose(now -> now.equals(generation) ? confirm(current, last, now) : startAnew());
    }

    /** Extends the lease of etcd in the same moment, if a part of its life has passed. */
    private CompletableFuture<Next> confirm(EtcdLease current, boolean last, TokenGeneration now) {
        if (!mayUse(current, Sent.CONFIRM)) {
            return AGAIN;
        }
        EtcdLease.Start before = EtcdLease.Start.now(context.clock());
        CompletableFuture<Boolean> alive = current.age(context.clock()) <= LeasePool.FRESH
                ? CompletableFuture.completedFuture(true)
                : context.keepAlives().extend(current);
        sentCallSite = request.callSite().isPresent();
        TxnRequest txn = TakeCall.granting(context.namespace(), now)
                .addCompare(Requests.created(plan.own(at), lastCreated))
                .addCompare(Requests.attached(plan.own(at), current.id()))
                .addSuccess(
                        Requests.range(Requests.latest(plan.from(at), plan.to(at), last ? TakeCall.MOST_BLOCKERS : 2)
                                .setMaxCreateRevision(lastCreated - 1)
                                .build()))
                .addSuccess(Requests.put(plan.own(at), value(), current.id()))
                .build();
        return send(txn).thenCompose(response -> alive.thenCompose(lives -> confirmed(response, lives, last, before)));
    }

    private CompletableFuture<Next> confirmed(
            TxnResponse response, boolean lives, boolean last, EtcdLease.Start before) {
        sent = Sent.NOTHING;
        if (!response.getSucceeded() || !lives) {
            return startAnew();
        }
        failures = 0;
        List<KeyValue> ahead = response.getResponses(0).getResponseRange().getKvsList();
        if (!ahead.isEmpty()) {
            return last
                    ? refusal(at, oldestFirst(ahead))
                    : behind(ahead, response.getHeader().getRevision());
        }
        unwatch();
        held = at + 1;
        at = -1;
        deleted = false;
        return held == plan.size() ? granted(response.getHeader().getRevision(), before) : AGAIN;
    }

    private static List<KeyValue> oldestFirst(List<KeyValue> newestFirst) {
        List<KeyValue> ordered = new ArrayList<>(newestFirst);
        Collections.reverse(ordered);
        return ordered;
    }

    /** Watches the nearest of these entries, from the revision at which it was read on. */
    private CompletableFuture<Next> behind(List<KeyValue> ahead, long revision) {
        if (ahead.isEmpty()) {
            deleted = true;
            several = false;
            return AGAIN;
        }
        several = ahead.size() > 1;
        deleted = false;
        return watch(ahead.get(0), revision);
    }

    private CompletableFuture<Next> watch(KeyValue entry, long revision) {
        ByteString nearest = entry.getKey();
        if (!nearest.equals(watched)) {
            unwatch();
        }
        boolean watches;
        lock.lock();
        try {
            watches = state == State.BUSY;
            if (watches) {
                watched = nearest;
            }
        } finally {
            lock.unlock();
        }
        if (watches) {
            context.watches().add(nearest, revision + 1, isOfSeveral(entry), this);
            if (isAbandoned()) { // withdrawn before the watch was there
                context.watches().remove(nearest, this);
            }
        }
        return CompletableFuture.completedFuture(new Pause(pause()));
    }

    private boolean isAbandoned() {
        lock.lock();
        try {
            return state == State.ABANDONED;
        } finally {
            lock.unlock();
        }
    }

    private static boolean isOfSeveral(KeyValue entry) {
        return EntryRecord.read(entry.getValue()).locks() > 1;
    }

    private long pause() {
        long pause = READ_AGAIN + ThreadLocalRandom.current().nextLong(READ_AGAIN / 2);
        if (looks) {
            pause = Math.min(pause, Math.max(0, lookAt - System.nanoTime()));
            pause = sentCallSite ? pause : Math.min(pause, CALL_SITE);
        }
        return pause;
    }

    @Override
    public LockKey awaits() {
        return request.plan().key(Math.max(0, at));
    }

    @Override
    public void deleted(Runnable then) {
        afterStep.add(then);
        deleted = true;
        proceed();
        lock.lock();
        try {
            if (state == State.BUSY) {
                return;
            }
        } finally {
            lock.unlock();
        }
        afterStep.run();
    }

    @Override
    public void doubt() {
        proceed();
    }

    private void unwatch() {
        ByteString entry = watched;
        watched = null;
        if (entry != null) {
            context.watches().remove(entry, this);
        }
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    /** Keeps the lease of etcd alive while the request waits. */
    void attend() {
        EtcdLease current = lease;
        if (current == null
                || !used
                || current.isExtending()
                || current.age(context.clock()) < current.nanos() / RENEWALS_PER_LIFE) {
            return;
        }
        current.extending(true);
        CompletionStage<?> unused = context.keepAlives().extend(current).whenComplete((alive, error) -> {
            current.extending(false);
            if (error == null && !alive) {
                endedLease = current;
                proceed();
            }
        });
    }

    // ---- the end

    /** Marks from when on the holder counts the term. Under the lock. */
    private void mark(Grant granted) {
        EtcdLease.Start from = start(granted);
        long age = context.clock().nanos() - from.nanos();
        if (request.clock() == context.clock()) {
            request.markStart(from.nanos(), from.millis());
        } else {
            request.markStart(
                    request.clock().nanos() - age, request.clock().millis() - TimeUnit.NANOSECONDS.toMillis(age));
        }
    }

    /** The lease of etcd lives a little longer than the term, so the term may begin that much later, but not after the call. */
    private EtcdLease.Start start(Grant granted) {
        EtcdLease current = Objects.requireNonNull(lease);
        EtcdLease.Start extended = current.start();
        long spare = current.nanos() - request.term().toNanos();
        long later = Math.max(0, Math.min(spare, granted.sent().nanos() - extended.nanos()));
        return new EtcdLease.Start(extended.nanos() + later, extended.millis() + TimeUnit.NANOSECONDS.toMillis(later));
    }

    private EtcdGrant grant(Grant granted) {
        TokenGeneration now = Objects.requireNonNull(generation);
        EtcdLease current = Objects.requireNonNull(lease);
        return new EtcdGrant(
                request.leaseId(),
                plan,
                firstCreated,
                now,
                now.token(granted.revision()),
                current,
                start(granted),
                request.term());
    }

    private void settle(StoreAnswer given) {
        unwatch();
        ended.accept(this);
        teller.execute(() -> tell(given));
    }

    /** What was taken on the way is released first. */
    private void refuse(StoreBusy busy) {
        unwatch();
        EtcdLease current;
        lock.lock();
        try {
            current = lease;
            lease = null; // from now on nothing else returns or revokes it
        } finally {
            lock.unlock();
        }
        if (current == null) {
            settle(busy);
        } else if (held == 0 && at < 0) {
            context.leases().giveBack(current);
            settle(busy);
        } else {
            CompletionStage<?> unused = context.leases().drop(current).whenComplete((existed, error) -> {
                context.watches().deletedHere(plan.names());
                settle(busy);
            });
        }
    }

    private void tell(StoreAnswer given) {
        DeadlockReport report = deadlock;
        StoreAnswer told = given instanceof StoreBusy && report != null ? new StoreDeadlock(report) : given;
        if (context.timer().isClosed() && given instanceof StoreBusy) {
            answer.completeExceptionally(CallLimit.closed());
        } else if (!answer.complete(told) && given instanceof EtcdGrant grant) {
            CompletionStage<?> unused = giveUp(grant.lease()); // it was cancelled a moment ago
        }
    }

    /** Ends it with an error, unless it has an answer; completes when etcd knows. */
    CompletionStage<Boolean> end(Throwable error) {
        return answer.completeExceptionally(error) ? withdraw() : CompletableFuture.completedStage(false);
    }

    /** Ends it for a caller who won't take any answer, not even one that was given a moment ago. */
    CompletionStage<Boolean> abandon(Throwable reason) {
        answer.completeExceptionally(reason);
        return withdraw();
    }

    /** Takes the request out of the queue, or back what it was given; completes when etcd has done so, or can't be reached. */
    private CompletionStage<Boolean> withdraw() {
        ended.accept(this);
        EtcdLease current;
        EtcdLease old;
        lock.lock();
        try {
            state = State.ABANDONED;
            stopTimer();
            current = lease;
            lease = null;
            old = revoking;
            revoking = null;
        } finally {
            lock.unlock();
        }
        unwatch();
        if (old != null) {
            CompletionStage<?> unused = giveUp(old);
        }
        if (current == null) {
            return CompletableFuture.completedStage(false);
        }
        if (!used) {
            context.leases().giveBack(current);
            return CompletableFuture.completedStage(false);
        }
        return giveUp(current);
    }

    private CompletionStage<Boolean> giveUp(EtcdLease current) {
        return context.leases()
                .drop(current)
                .whenComplete((existed, error) -> context.watches().deletedHere(plan.names()));
    }
}
