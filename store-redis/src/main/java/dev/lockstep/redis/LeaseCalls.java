package dev.lockstep.redis;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The calls about single leases, in the name of this process. */
final class LeaseCalls {
    private static final Logger LOG = LoggerFactory.getLogger(LeaseCalls.class);

    /**
     * How long a place is kept beyond the time in which the server answers. A silent connection is closed up to a second after that time, and
     * the next heartbeat is sent up to a second later.
     */
    static final Duration SLACK = Duration.ofSeconds(4);

    /** Learns of requests of this process that a release let in; that call was sent at this reading of the clocks. */
    interface GrantListener {
        void granted(String lease, long token, long nanos, long millis);
    }

    private final Servers servers;
    private final String process;
    private final LockClock clock;
    private final GrantListener listener;
    private final Consumer<Partition> lostReply;
    private final BooleanSupplier closed;
    private final UndeliveredReleases undelivered = new UndeliveredReleases();

    /** {@code lostReply} is notified when the reply to a release, which may have let in requests, is lost. */
    LeaseCalls(
            Servers servers,
            String process,
            LockClock clock,
            GrantListener listener,
            Consumer<Partition> lostReply,
            BooleanSupplier closed) {
        this.servers = servers;
        this.process = process;
        this.clock = clock;
        this.listener = listener;
        this.lostReply = lostReply;
        this.closed = closed;
    }

    /** How long a server that answers within this limit keeps the place of a waiting request without a sign of activity. */
    static Duration patience(ResponseLimit answers) {
        return answers.within().plus(SLACK);
    }

    ResponseLimit answers() {
        return servers.answers();
    }

    // ---- acquiring

    AcquireCall acquiring(StoreRequest request, Slice slice) {
        undelivered.forget(slice.id()); // it asks for the same lease again
        return new AcquireCall(request, slice, process, NamespaceGeneration.micros(patience(answers())));
    }

    CompletionStage<AcquireCall.Reply> acquire(AcquireCall call, boolean waits, String callSite) {
        return servers.call(call.slice.partition(), Script.ACQUIRE, call.arguments(waits, callSite))
                .thenApply(call::read);
    }

    /** Lets slices of a request last for a term from now on, and raises what they know of tokens. Returns whether all are held. */
    CompletionStage<Boolean> keep(List<Slice> slices, Duration term) {
        String micros = Long.toString(NamespaceGeneration.micros(term));
        return Stages.all(slices, slice -> servers.call(slice.partition(), Script.RENEW, slice.id(), micros))
                .thenApply(answers -> answers.stream().allMatch(held -> (Long) held.get(0) == 1));
    }

    // ---- releasing

    /** Ends a lease on the servers, granted or waiting. Returns whether it was held; never fails, but logs why. */
    CompletionStage<Boolean> release(List<Slice> slices) {
        return tryRelease(slices).exceptionally(error -> {
            Throwable cause = RedisErrors.causeOf(error);
            String message = "Lease {} could not be released on the server: if it was granted, it expires";
            if (RedisErrors.isUnavailable(cause) || closed.getAsBoolean()) { // the caller gets that error anyway
                LOG.debug(message, slices.get(0).id(), cause);
                undelivered.add(slices);
            } else {
                LOG.warn(message, slices.get(0).id(), cause);
            }
            return false;
        });
    }

    /** Withdraws requests whose releases did not reach their servers. */
    void withdrawAgain() {
        undelivered.takeSome().forEach(slices -> {
            CompletionStage<?> unused = Stages.all(
                            slices, slice -> servers.call(slice.partition(), Script.WITHDRAW, slice.id()))
                    .exceptionally(error -> {
                        if (RedisErrors.isUnavailable(RedisErrors.causeOf(error))) {
                            undelivered.add(slices);
                        }
                        return List.of();
                    });
        });
    }

    /** Ends a lease, or fails with what went wrong. The last slice goes first; one that fails keeps no other from going. */
    CompletionStage<Boolean> tryRelease(List<Slice> slices) {
        if (slices.size() == 1) {
            return tryRelease(slices.get(0));
        }
        List<Slice> reversed = new ArrayList<>(slices);
        Collections.reverse(reversed);
        return Stages.all(reversed, this::tryRelease)
                .thenApply(held -> held.stream().allMatch(each -> each));
    }

    private CompletionStage<Boolean> tryRelease(Slice slice) {
        long nanos = clock.nanos();
        long millis = clock.millis();
        LockPlan plan = slice.plan();
        String[] arguments = new String[2 + 2 * plan.size()];
        arguments[0] = slice.id();
        arguments[1] = process;
        for (int i = 0; i < plan.size(); i++) {
            arguments[2 + 2 * i] = plan.mode(i).symbol();
            arguments[3 + 2 * i] = plan.key(i).toString();
        }
        return servers.call(slice.partition(), Script.RELEASE, arguments)
                .whenComplete((reply, error) -> {
                    if (error != null && RedisErrors.isUnavailable(RedisErrors.causeOf(error))) {
                        lostReply.accept(slice.partition());
                    }
                })
                .thenApply(reply -> {
                    reportGrants(reply, nanos, millis);
                    return (Long) reply.get(0) == 1;
                });
    }

    private void reportGrants(List<Object> reply, long nanos, long millis) {
        for (int i = 1; i + 1 < reply.size(); i += 2) {
            String lease = Slice.leaseOf((String) reply.get(i));
            listener.granted(lease, Long.parseLong((String) reply.get(i + 1)), nanos, millis);
        }
    }
}
