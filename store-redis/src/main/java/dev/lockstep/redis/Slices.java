package dev.lockstep.redis;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.spi.StoreRequest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/*
 * The slices of one request
 * ------------------------
 * On a single server there is one. In a cluster the sorted locks are cut into slices, each of one partition, which are asked for one after the
 * other. While a request waits for one, it holds those before it as granted leases, and keeps them with each asking; it is in no queue
 * of a later one. If one of them is lost meanwhile, it releases all and begins again: taking the lost one again while it holds or waits for a
 * later one would be out of order.
 *
 * Once it has the last slice, it keeps all others once more before it answers, for two reasons:
 *
 * - Time. The holder counts its term from a moment before this asking began. Slices that it had by then might end sooner than the holder
 *   believes. Kept after that moment, none does.
 * - Tokens. The lease's token is that of its last slice. Each slice is asked for with the greatest token that this process has seen, so tokens
 *   rise from slice to slice, and the last is the greatest. Keeping a slice raises its partition's sequence to it, in the same step in which
 *   the partition finds the slice still held. So before a caller learns of a token, and while all its locks are held, every partition
 *   involved gives out only greater ones. A lease that gets one of the keys later got that slice when this one had ended, hence with a
 *   greater number; and its own token is no lower than that of any of its slices.
 */
final class Slices {
    private final LeaseCalls calls;
    private final StoreRequest request;
    private final List<Slice> all;
    private final List<AcquireCall> requests;

    /** The lock that a request waits for. */
    record Awaited(Partition partition, LockKey key) {}

    /** The one that is asked for; those before it are held. Changed only by the asking that is under way. */
    private volatile int at;

    Slices(StoreRequest request, Partitions partitions, LeaseCalls calls) {
        this.calls = calls;
        this.request = request;
        all = partitions.cut(request.leaseId().toString(), request.plan());
        requests = all.stream().map(slice -> calls.acquiring(request, slice)).toList();
    }

    String lease() {
        return all.get(0).id();
    }

    boolean isOne() {
        return all.size() == 1;
    }

    /** Whether it holds slices while it waits for another one; they have to be kept. */
    boolean holdsAny() {
        return at > 0;
    }

    /** The lock at this place, counted from 1, of the slice that is asked for. */
    Awaited awaited(long place) {
        Slice slice = all.get(at);
        return new Awaited(slice.partition(), slice.plan().key(Math.toIntExact(place) - 1));
    }

    RedisGrant grant(long token) {
        all.get(0).partition().generation().saw(token);
        return new RedisGrant(lease(), all, request.plan(), token);
    }

    // ---- asking

    /** Asks for the slice that is due and, as long as they are granted, those behind it. Returns what the last of them came to. */
    CompletionStage<AcquireCall.Reply> ask(BooleanSupplier waiting) {
        if (isOne()) {
            return send(0, waiting);
        }
        int place = at;
        CompletionStage<AcquireCall.Reply> reply = send(place, waiting);
        return (place == 0 ? reply : unlessLost(keep(place), reply)).thenCompose(each -> goOn(place, each, waiting));
    }

    private CompletionStage<AcquireCall.Reply> send(int place, BooleanSupplier waiting) {
        return calls.acquire(requests.get(place), waiting.getAsBoolean(), CallSiteText.text(request.callSite()));
    }

    private CompletionStage<Boolean> keep(int before) {
        return calls.keep(all.subList(0, before), request.term());
    }

    private static CompletionStage<AcquireCall.Reply> unlessLost(
            CompletionStage<Boolean> kept, CompletionStage<AcquireCall.Reply> reply) {
        return kept.thenCombine(
                reply,
                (held, each) -> held || each instanceof AcquireCall.Refused ? each : new AcquireCall.SliceLost());
    }

    private CompletionStage<AcquireCall.Reply> goOn(int place, AcquireCall.Reply reply, BooleanSupplier waiting) {
        if (reply instanceof AcquireCall.Refused) {
            return rolledBack(place, reply);
        }
        if (!(reply instanceof AcquireCall.Granted granted)) {
            return CompletableFuture.completedStage(reply);
        }
        all.get(place).partition().generation().saw(granted.token());
        int next = place + 1;
        if (next == all.size()) {
            return unlessLost(keep(place), CompletableFuture.completedStage(reply));
        }
        at = next;
        return send(next, waiting).thenCompose(each -> goOn(next, each, waiting));
    }

    /** When the caller learns that it was refused, it holds nothing, unless a server doesn't answer. */
    private CompletionStage<AcquireCall.Reply> rolledBack(int place, AcquireCall.Reply refused) {
        if (place == 0) {
            return CompletableFuture.completedStage(refused);
        }
        long limit = calls.answers().within().toNanos();
        return calls.release(all.subList(0, place))
                .toCompletableFuture()
                .orTimeout(limit, TimeUnit.NANOSECONDS)
                .handle((held, error) -> refused);
    }

    // ---- the end

    /** Releases all that it has requested so far. Returns whether they were held; never fails. */
    CompletionStage<Boolean> release() {
        return calls.release(all.subList(0, at + 1));
    }

    /** Releases what is left of it, and is as it was before anything was asked for. */
    CompletionStage<Void> beginAnew() {
        return release().thenAccept(held -> at = 0);
    }
}
