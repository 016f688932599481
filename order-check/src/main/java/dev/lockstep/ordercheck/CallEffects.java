package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;

/**
 * Which requests the methods of a class lead to, through calls of each other: a fixpoint. It is bounded, so that a class whose methods call each other in
 * cycles is done at some time; what is left out is not reported.
 */
final class CallEffects {
    private static final int MOST_PER_METHOD = 64;
    private static final int MOST_INNER = 6;

    private final ClassCheck source;
    private final LockContracts contracts;
    private final Map<Element, List<TakenRequest>> takes = new HashMap<>();
    private final Map<Element, Set<String>> shapes = new HashMap<>();

    CallEffects(ClassCheck source, LockContracts contracts) {
        this.source = source;
        this.contracts = contracts;
        boolean changed = true;
        for (int round = 0; changed && round < 32; round++) {
            changed = false;
            for (MethodFacts each : source.facts().values()) {
                changed |= extend(each);
            }
        }
    }

    private boolean extend(MethodFacts method) {
        boolean changed = false;
        for (LockAct act : method.acts()) {
            if (!act.context().attached()) {
                continue;
            }
            if (act instanceof LockAct.Acquisition own) {
                changed |= add(method, own(own, act.context()));
            } else if (act instanceof LockAct.Call call) {
                for (TakenRequest each : of(call)) {
                    List<HeldModel> inner = new ArrayList<>(act.context().held());
                    inner.addAll(each.inner());
                    changed |=
                            add(method, new TakenRequest(each.request(), each.on(), inner, each.by(), each.origin()));
                }
            }
        }
        return changed;
    }

    private static TakenRequest own(LockAct.Acquisition act, LockAct.Context context) {
        String by = context.site().method() + "() in line " + context.site().line();
        return new TakenRequest(act.request(), act.on(), context.held(), by, context.site());
    }

    private boolean add(MethodFacts method, TakenRequest take) {
        List<TakenRequest> known = takes.computeIfAbsent(method.owner(), each -> new ArrayList<>());
        return known.size() < MOST_PER_METHOD
                && take.inner().size() <= MOST_INNER
                && shapes.computeIfAbsent(method.owner(), each -> new HashSet<>())
                        .add(take.shape())
                && known.add(take);
    }

    /** What a call leads to, in terms of the caller. */
    List<TakenRequest> of(LockAct.Call call) {
        if (source.isFollowed(call.method())) {
            return takes.getOrDefault(call.method(), List.of()).stream()
                    .map(take -> new TakenRequest(
                            call.arguments().request(take.request()),
                            call.arguments().locks(take.on()),
                            inner(take, call.arguments()),
                            take.by(),
                            take.origin()))
                    .toList();
        }
        return byContract(call);
    }

    /** Without the leases that the call handed in: they are among what the caller holds. */
    private static List<HeldModel> inner(TakenRequest take, CallArguments arguments) {
        return take.inner().stream()
                .filter(held -> !(held.identity() instanceof Element))
                .map(arguments::held)
                .toList();
    }

    private List<TakenRequest> byContract(LockAct.Call call) {
        LockContracts.Contract contract = contracts.of(call.method());
        List<HeldModel> held = call.context().held();
        String name = name(call.method());
        List<TakenRequest> found = new ArrayList<>();
        List<String> taken = contract.takes();
        if (taken != null) {
            for (String prefix : taken) {
                RequestModel request = source.request(List.of(prefix), held);
                found.add(new TakenRequest(
                        request,
                        LocksModel.application(),
                        List.of(),
                        name + " (@Takes)",
                        call.context().site()));
            }
        }
        if (contract.isLocked() && !call.self()) {
            found.add(new TakenRequest(
                    source.locked(contract, held, null),
                    LocksModel.application(),
                    List.of(),
                    name + " (@Locked)",
                    call.context().site()));
        }
        return found;
    }

    static String name(ExecutableElement method) {
        return SourceTypes.ownerOf(method).getSimpleName() + "." + method.getSimpleName() + "()";
    }
}
