package dev.lockstep.chaos;

import dev.lockstep.core.FencingToken;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Of two leases that exclude each other the one that was granted later has the higher token.
 *
 * <p>Which one that was is certain when one was granted before the other was asked for, and also when the later one was seen held after it
 * was granted and its connection was not cut in between.
 */
final class TokenRule {
    private final List<Violation> violations = new ArrayList<>();
    private final Map<String, Highest> keys = new HashMap<>();
    private final List<HistoryLine> breaks;

    /** The calls with the highest tokens so far: of a key, and of all that is in it. */
    private static final class Highest {
        @Nullable
        Call exclusive;

        @Nullable
        Call any;

        @Nullable
        Call exclusiveInside;

        @Nullable
        Call anyInside;
    }

    private record Moment(long nanos, Runnable look) {}

    private TokenRule(List<HistoryLine> breaks) {
        this.breaks = breaks;
    }

    static List<Violation> check(Records records, Promise promise) {
        List<HistoryLine> breaks = records.all("break").stream()
                .filter(each -> promise.endsWithConnection(true, each.text("server")))
                .toList();
        return records.granted().stream()
                .collect(Collectors.groupingBy(
                        call -> promise.separatesEpochs() ? 0 : call.token().epoch()))
                .values()
                .stream()
                .flatMap(calls -> new TokenRule(breaks).check(calls).stream())
                .toList();
    }

    private List<Violation> check(List<Call> calls) {
        Map<String, FencingToken> outer = new HashMap<>();
        List<Moment> moments = new ArrayList<>();
        for (Call call : calls) {
            FencingToken first = outer.putIfAbsent(call.holder(), call.token());
            if (!call.token().equals(first)) { // else it is covered by the outer lease, and has its token
                moments.add(new Moment(call.invoked(), () -> judge(call)));
                moments.add(new Moment(call.granted(), () -> granted(call)));
            }
        }
        moments.sort(Comparator.comparingLong(Moment::nanos));
        moments.forEach(moment -> moment.look().run());
        return violations;
    }

    private void granted(Call call) {
        if (call.wasSeenHeld() && !mayHaveBeenCut(call)) {
            judge(call);
        }
        call.stakes().forEach(stake -> raise(stake, call));
    }

    private boolean mayHaveBeenCut(Call call) {
        return breaks.stream()
                .filter(each ->
                        each.text("process").equals("*") || each.text("process").equals(call.process()))
                .anyMatch(each -> each.nanos() >= call.invoked() && each.number("from") <= call.granted());
    }

    /** Compares a lease with all that were granted until now. */
    private void judge(Call call) {
        for (LockedKey stake : call.stakes()) {
            Call highest = highestAgainst(stake);
            if (highest != null && highest.token().compareTo(call.token()) >= 0) {
                violations.add(new Violation(
                        "token", "a later grant has no higher token" + highest.evidence() + call.evidence()));
                return;
            }
        }
    }

    private @Nullable Call highestAgainst(LockedKey stake) {
        Call found = null;
        for (String path = stake.path(); !path.isEmpty(); path = parent(path)) {
            Highest above = keys.get(path);
            if (above != null) {
                found = higher(found, stake.exclusive() ? above.any : above.exclusive);
            }
        }
        Highest own = keys.get(stake.path());
        return own == null ? found : higher(found, stake.exclusive() ? own.anyInside : own.exclusiveInside);
    }

    private void raise(LockedKey stake, Call call) {
        Highest own = of(stake.path());
        own.any = higher(own.any, call);
        own.exclusive = stake.exclusive() ? higher(own.exclusive, call) : own.exclusive;
        for (String path = parent(stake.path()); !path.isEmpty(); path = parent(path)) {
            Highest above = of(path);
            above.anyInside = higher(above.anyInside, call);
            above.exclusiveInside = stake.exclusive() ? higher(above.exclusiveInside, call) : above.exclusiveInside;
        }
    }

    private Highest of(String path) {
        return keys.computeIfAbsent(path, any -> new Highest());
    }

    private static @Nullable Call higher(@Nullable Call one, @Nullable Call other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return one.token().compareTo(other.token()) >= 0 ? one : other;
    }

    private static String parent(String path) {
        return path.contains("/") ? path.substring(0, path.lastIndexOf('/')) : "";
    }
}
