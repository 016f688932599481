package dev.lockstep.redis;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.LockClock;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The store at work: where requests are handed in, and what comes of them is handed out. */
final class RedisDesk implements AutoCloseable {
    /** Most waits are over sooner. They are spared the record of the call site. */
    private static final long MOMENT = TimeUnit.MILLISECONDS.toNanos(2);

    private static final long SWEEP = TimeUnit.SECONDS.toNanos(10);
    private static final long ATTEND = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long NEXT_PORTION = TimeUnit.MILLISECONDS.toNanos(10);
    private static final int MOST_RENEWALS = 500;

    private final Duration answerWithin;
    private final RedisLink link;
    private final Life life;
    private final RedisKinds kinds;
    private final RedisSight sight;
    private final Waits waits;
    private final WakeCalls wakeCalls;
    private final AtomicBoolean sweeping = new AtomicBoolean();

    RedisDesk(RedisURI uri, Namespace namespace, Duration longestTerm, Duration answerWithin) {
        this.answerWithin = answerWithin;
        link = new RedisLink(uri, namespace, answerWithin);
        life = new Life(namespace, longestTerm);
        kinds = new RedisKinds(link, life, namespace);
        sight = new RedisSight(link, namespace, kinds);
        String process = ProcessHandle.current().pid() + "-"
                + Long.toHexString(ThreadLocalRandom.current().nextLong());
        waits = new Waits(link, life, kinds, new Cycles(link, life, kinds::read), LockClock.system(), process);
        wakeCalls = new WakeCalls(link, namespace.wakeChannel(process), waits::hint);
    }

    /** Begins to listen for hints and to keep house. */
    RedisDesk open() {
        wakeCalls.listen();
        waits.every(this::attend, ATTEND);
        waits.every(this::sweep, SWEEP / 2 + ThreadLocalRandom.current().nextLong(SWEEP));
        return this;
    }

    void createNamespace() {
        link.await(link.call(Script.CREATE, life.longest(), life.greatest()), "Creating the namespace");
    }

    boolean removeNamespace() {
        List<Object> reply =
                link.await(link.call(Script.REMOVE, life.longest(), life.greatest()), "Removing the namespace");
        return (Long) reply.get(0) == 1;
    }

    void declare(List<KindDefinition> definitions) {
        kinds.declare(definitions);
    }

    LockSnapshot snapshot() {
        return sight.snapshot();
    }

    void ping() {
        link.await(link.call(Script.PING, life.longest(), life.greatest()), "Asking Redis whether it works");
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
            return link.await(acquisition.answer, "Locking " + acquisition.request.plan());
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
                answer = get(acquisition, request.deadline().remainingNanos() + answerWithin.toNanos());
                if (answer == null && request.deadline().passed()) {
                    throw link.unanswered("Locking " + request.plan());
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
            link.await(acquisition.abandon(reason), "Taking back a request");
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
        return link.await(waits.tryRelease(given.lease(), given.plan()), "Releasing " + given.plan());
    }

    List<StoreGrant> renew(List<Renewal> renewals) {
        renewals.forEach(each -> life.requireWithinLongest(each.term()));
        List<CompletionStage<List<StoreGrant>>> portions = new ArrayList<>();
        for (int from = 0; from < renewals.size(); from += MOST_RENEWALS) {
            portions.add(renewPortion(renewals.subList(from, Math.min(renewals.size(), from + MOST_RENEWALS))));
        }
        List<StoreGrant> ended = new ArrayList<>();
        portions.forEach(each -> ended.addAll(link.await(each, "Renewing leases")));
        return ended;
    }

    private CompletionStage<List<StoreGrant>> renewPortion(List<Renewal> portion) {
        String[] arguments = new String[2 + 2 * portion.size()];
        arguments[0] = life.longest();
        arguments[1] = life.greatest();
        for (int i = 0; i < portion.size(); i++) {
            arguments[2 + 2 * i] = ((RedisGrant) portion.get(i).grant()).lease();
            arguments[3 + 2 * i] = Long.toString(Life.micros(portion.get(i).term()));
        }
        return link.call(Script.RENEW, arguments).thenApply(held -> {
            List<StoreGrant> ended = new ArrayList<>();
            for (int i = 0; i < portion.size(); i++) {
                if ((Long) held.get(i) == 0) {
                    ended.add(portion.get(i).grant());
                }
            }
            return ended;
        });
    }

    // ---- housekeeping

    private void attend() {
        link.closeIfSilent();
        wakeCalls.listen();
    }

    /** Goes through all leases in portions; the next round begins when this one has ended. */
    private void sweep() {
        if (sweeping.compareAndSet(false, true)) {
            sweepFrom("0");
        }
    }

    private void sweepFrom(String cursor) {
        CompletionStage<?> unused = link.call(Script.SWEEP, life.longest(), life.greatest(), cursor)
                .whenComplete((reply, error) -> swept(reply == null ? "0" : (String) reply.get(0)));
    }

    private void swept(String next) {
        if ("0".equals(next)) {
            sweeping.set(false);
        } else {
            Future<?> unused = waits.later(() -> sweepFrom(next), NEXT_PORTION);
        }
    }

    @Override
    public void close() {
        waits.close();
        link.close();
    }
}
