package dev.lockstep.redis;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreRequest;
import java.util.ArrayList;
import java.util.List;

/** The arguments of {@code acquire.lua} for one slice of a request, and its result. */
final class AcquireCall {
    private static final int BIRTH = 0;
    private static final int LEASE = 1;
    private static final int WAITS = 2;
    private static final int PROCESS = 3;
    private static final int TERM = 4;
    private static final int PATIENCE = 5;
    private static final int OWNER = 6;
    private static final int CALL_SITE = 7;
    private static final int OUTER = 8;
    private static final int LOCKS = 9;

    private static final int LONGEST_OWNER = 200;

    /** What came of an asking. */
    sealed interface Reply {}

    /** The lease is granted. */
    record Granted(long token) implements Reply {}

    /** It waits for the lock at this place, counted from 1; something may change after this long, if that is known. */
    record Queued(long place, long nextChangeMicros) implements Reply {
        boolean knowsNextChange() {
            return nextChangeMicros >= 0;
        }
    }

    /** It is unavailable now, and doesn't wait. */
    record Refused(StoreBusy busy) implements Reply {}

    /** Nothing is granted in this generation of a partition for this long. */
    record Quiet(NamespaceGeneration generation, long micros, String why) implements Reply {}

    /** The partition is in another generation than the caller knows. */
    record OtherGeneration(Partition partition, String birth, String longest, String partitions) implements Reply {}

    /** A slice that was held before is gone, so that this one is of no use. No script says so. */
    record SliceLost() implements Reply {}

    final Slice slice;
    private final LockPlan plan;
    private final String[] fixed;

    AcquireCall(StoreRequest request, Slice slice, String process, long patienceMicros) {
        this.slice = slice;
        plan = slice.plan();
        fixed = new String[LOCKS + 2 * plan.size()];
        fixed[LEASE] = slice.id();
        fixed[PROCESS] = process;
        fixed[TERM] = Long.toString(NamespaceGeneration.micros(request.term()));
        fixed[PATIENCE] = Long.toString(patienceMicros);
        fixed[OWNER] = SingleLine.of(request.owner(), LONGEST_OWNER);
        fixed[OUTER] = outer(request);
        for (int i = 0; i < plan.size(); i++) {
            fixed[LOCKS + 2 * i] = plan.mode(i).symbol();
            fixed[LOCKS + 2 * i + 1] = plan.key(i).toString();
        }
    }

    private static String outer(StoreRequest request) {
        if (request.outer().isEmpty()) {
            return "";
        }
        StringBuilder ids = new StringBuilder();
        request.outer().forEach(grant -> {
            if (grant instanceof RedisGrant outer) {
                ids.append(outer.lease()).append(' ');
            }
        });
        return ids.toString().trim();
    }

    String[] arguments(boolean waits, String callSite) {
        String[] arguments = fixed.clone();
        arguments[BIRTH] = slice.partition().generation().birth();
        arguments[WAITS] = waits ? "1" : "0";
        arguments[CALL_SITE] = callSite;
        return arguments;
    }

    Reply read(List<Object> reply) {
        return switch ((String) reply.get(0)) {
            case "granted" -> new Granted(Long.parseLong((String) reply.get(1)));
            case "queued" -> new Queued((Long) reply.get(1), Long.parseLong((String) reply.get(2)));
            case "busy" -> new Refused(busy(reply));
            case "quiet" ->
                new Quiet(slice.partition().generation(), Long.parseLong((String) reply.get(1)), (String) reply.get(2));
            case "generation" ->
                new OtherGeneration(
                        slice.partition(), (String) reply.get(1), (String) reply.get(2), (String) reply.get(3));
            default -> throw new IllegalStateException("The script answered " + reply);
        };
    }

    private StoreBusy busy(List<Object> reply) {
        int place = Math.toIntExact((Long) reply.get(1)) - 1;
        List<Blocker> blockers = new ArrayList<>();
        for (int i = 2; i + 4 < reply.size(); i += 5) {
            blockers.add(new Blocker(
                    (String) reply.get(i + 4),
                    Slice.leaseIdOf((String) reply.get(i)),
                    StoredLease.mode((String) reply.get(i + 1)),
                    StoredLease.instant((String) reply.get(i + 3)),
                    "1".equals(reply.get(i + 2))));
        }
        return new StoreBusy(new PlannedLock(plan.key(place), plan.mode(place)), blockers);
    }
}
