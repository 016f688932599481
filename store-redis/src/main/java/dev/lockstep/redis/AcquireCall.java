package dev.lockstep.redis;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.LockPlan;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What {@code acquire.lua} is told for one request, and what it answers. */
final class AcquireCall {
    private static final int LONGEST = 0;
    private static final int GREATEST = 1;
    private static final int BIRTH = 2;
    private static final int LEASE = 3;
    private static final int WAITS = 4;
    private static final int PROCESS = 5;
    private static final int TERM = 6;
    private static final int PATIENCE = 7;
    private static final int OWNER = 8;
    private static final int CALL_SITE = 9;
    private static final int OUTER = 10;
    private static final int LOCKS = 11;

    private static final int LONGEST_OWNER = 200;

    /** What the script answered. */
    sealed interface Reply {}

    /** The lease is granted. */
    record Granted(long token) implements Reply {}

    /** It waits for the lock at this place, counted from 1; something may change after so long, if that is known. */
    record Queued(long place, long nextChangeMicros) implements Reply {
        boolean knowsNextChange() {
            return nextChangeMicros >= 0;
        }
    }

    /** It can't be had now, and doesn't wait. */
    record Refused(StoreBusy busy) implements Reply {}

    /** Nothing is granted for so long. */
    record Quiet(long micros, String why) implements Reply {}

    /** The namespace is in another life than the caller knows. */
    record OtherLife(String birth, String longest) implements Reply {}

    private final LockPlan plan;
    private final String[] fixed;

    AcquireCall(StoreRequest request, Life life, String process, long patienceMicros) {
        plan = request.plan();
        fixed = new String[LOCKS + 2 * plan.size()];
        fixed[LONGEST] = life.longest();
        fixed[LEASE] = request.leaseId().toString();
        fixed[PROCESS] = process;
        fixed[TERM] = Long.toString(Life.micros(request.term()));
        fixed[PATIENCE] = Long.toString(patienceMicros);
        fixed[OWNER] = Line.of(request.owner(), LONGEST_OWNER);
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

    String lease() {
        return fixed[LEASE];
    }

    String[] arguments(Life life, boolean waits, String callSite) {
        String[] arguments = fixed.clone();
        arguments[GREATEST] = life.greatest();
        arguments[BIRTH] = life.birth();
        arguments[WAITS] = waits ? "1" : "0";
        arguments[CALL_SITE] = callSite;
        return arguments;
    }

    Reply read(List<Object> reply) {
        return switch ((String) reply.get(0)) {
            case "granted" -> new Granted(Long.parseLong((String) reply.get(1)));
            case "queued" -> new Queued((Long) reply.get(1), Long.parseLong((String) reply.get(2)));
            case "busy" -> new Refused(busy(reply));
            case "quiet" -> new Quiet(Long.parseLong((String) reply.get(1)), (String) reply.get(2));
            case "life" -> new OtherLife((String) reply.get(1), (String) reply.get(2));
            default -> throw new IllegalStateException("The script answered " + reply);
        };
    }

    private StoreBusy busy(List<Object> reply) {
        int place = Math.toIntExact((Long) reply.get(1)) - 1;
        List<Blocker> blockers = new ArrayList<>();
        for (int i = 2; i + 4 < reply.size(); i += 5) {
            blockers.add(new Blocker(
                    (String) reply.get(i + 4),
                    UUID.fromString((String) reply.get(i)),
                    LeaseRecord.mode((String) reply.get(i + 1)),
                    LeaseRecord.instant((String) reply.get(i + 3)),
                    "1".equals(reply.get(i + 2))));
        }
        return new StoreBusy(new PlannedLock(plan.key(place), plan.mode(place)), blockers);
    }
}
