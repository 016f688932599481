package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import javax.lang.model.element.ExecutableElement;
import org.jspecify.annotations.Nullable;

/** Judges what the methods of a class do, and notes what is acquired while what is held. */
final class OrderRule {
    /** The place of a request, and that of the lease that stands against it. */
    private record Nesting(CodeSite request, CodeSite lease) {}

    private final ClassCheck source;
    private final LockContracts contracts;
    private final CallEffects takes;
    private final Surroundings surroundings;
    private final AcquisitionGraph graph;
    private final List<OrderProblem> problems = new ArrayList<>();
    private final Set<Nesting> reported = new HashSet<>();

    OrderRule(ClassCheck source, LockContracts contracts, AcquisitionGraph graph) {
        this.source = source;
        this.contracts = contracts;
        this.graph = graph;
        takes = new CallEffects(source, contracts);
        surroundings = new Surroundings(source);
    }

    List<OrderProblem> judge() {
        forEachAct((method, act) -> {
            if (act instanceof LockAct.Acquisition own) {
                acquisition(method, own);
            }
        });
        IdentityHashMap<LockAct.Call, OrderProblem> found = new IdentityHashMap<>();
        forEachCall((method, call) -> found.computeIfAbsent(call, each -> ownProblem(method, call)));
        forEachCall((method, call) -> {
            OrderProblem own = found.get(call);
            OrderProblem inside = own != null && own.certain() ? own : problemInside(method, call);
            OrderProblem problem = inside == null ? own : inside;
            if (problem != null && !isSilent(method, call.context())) {
                problems.add(problem);
            }
        });
        for (MethodFacts method : source.facts().values()) {
            for (MethodFacts.Leak leak : method.leaks()) {
                if (!leak.suppressed() && !Suppressions.isSuppressedAround(method.owner())) {
                    problems.add(new OrderProblem(leak.at(), Messages.leak(leak.request()), true));
                }
            }
        }
        return problems;
    }

    private void forEachAct(BiConsumer<MethodFacts, LockAct> each) {
        for (MethodFacts method : source.facts().values()) {
            method.acts().forEach(act -> each.accept(method, act));
        }
    }

    private void forEachCall(BiConsumer<MethodFacts, LockAct.Call> each) {
        forEachAct((method, act) -> {
            if (act instanceof LockAct.Call call) {
                each.accept(method, call);
            }
        });
    }

    private boolean isSilent(MethodFacts method, LockAct.Context context) {
        return context.suppressed() || Suppressions.isSuppressedAround(method.owner());
    }

    // ---- requests

    private void acquisition(MethodFacts method, LockAct.Acquisition act) {
        LockAct.Context context = act.context();
        List<HeldModel> around = surroundings.around(method.owner());
        List<HeldModel> own = whereNotCovered(context.held(), around);
        GuardModel.Decision decision = decide(act.request(), act.on(), own, around, own);
        graph.add(decision, act.request(), context.held(), context.site());
        GuardModel.Conflict certain = decision.certain();
        GuardModel.Conflict possible = decision.possible();
        if (certain != null) {
            reported.add(new Nesting(context.site(), certain.lease().site()));
        }
        if (isSilent(method, context)) {
            return;
        }
        if (certain != null) {
            problems.add(new OrderProblem(context.at(), Messages.order(certain, act.request(), null), true));
        } else if (possible != null) {
            String message = Messages.possible(Messages.order(possible, act.request(), null));
            problems.add(new OrderProblem(context.at(), message, false));
        }
    }

    private static GuardModel.Decision decide(
            RequestModel request, LocksModel on, List<HeldModel> own, List<HeldModel> around, List<HeldModel> blamed) {
        List<HeldModel> all = new ArrayList<>(own);
        all.addAll(around);
        return GuardModel.decide(request, on, all, blamed);
    }

    /** What may have been covered when it was acquired may not be locked: it stands against nothing. */
    private static List<HeldModel> whereNotCovered(List<HeldModel> held, List<HeldModel> around) {
        return around.isEmpty()
                ? held
                : held.stream().map(each -> whereNotCovered(each, around)).toList();
    }

    private static HeldModel whereNotCovered(HeldModel lease, List<HeldModel> around) {
        List<LockModel> locks = lease.locks().stream()
                .map(lock -> lock.withSure(lock.sure() && !mayCover(around, lock)))
                .toList();
        return lease.withLocks(locks);
    }

    private static boolean mayCover(List<HeldModel> around, LockModel lock) {
        KnownKind kind = lock.kind();
        return kind == null || around.stream().anyMatch(each -> each.mayHold(kind) || holdsIntent(each, lock));
    }

    private static boolean holdsIntent(HeldModel lease, LockModel lock) {
        KnownKind kind = lock.kind();
        return !lock.isTarget()
                && lease.locks().stream()
                        .map(LockModel::kind)
                        .anyMatch(held -> held == null
                                || (kind != null && held.chain().stream().anyMatch(kind::isSame)));
    }

    // ---- calls

    /** What is wrong with a call because of what is held around it. */
    private @Nullable OrderProblem ownProblem(MethodFacts method, LockAct.Call call) {
        LockContracts.Contract contract = contracts.of(call.method());
        if (contract.isLocked() && call.self() && !isCovered(contract, method, call.context())) {
            String message = Messages.selfCall(CallEffects.name(call.method()));
            return new OrderProblem(call.context().at(), message, true);
        }
        OrderProblem problem = null;
        for (TakenRequest take : takes.of(call)) {
            OrderProblem found = against(method, call, take);
            if (found != null && (problem == null || (found.certain() && !problem.certain()))) {
                problem = found;
            }
        }
        return problem != null ? problem : needs(method, call, contract);
    }

    private @Nullable OrderProblem against(MethodFacts method, LockAct.Call call, TakenRequest take) {
        LockAct.Context context = call.context();
        List<HeldModel> callers = whereNotCovered(context.held(), surroundings.around(method.owner()));
        GuardModel.Decision decision = decide(method, call, take, callers);
        graph.add(decision, take.request(), context.held(), context.site());
        GuardModel.Conflict certain = decision.certain();
        if (certain != null) {
            reported.add(new Nesting(take.origin(), certain.lease().site()));
            return problem(call, take, certain);
        }
        return decision.possible() == null
                ? null
                : new OrderProblem(
                        context.at(),
                        Messages.possible(Messages.order(decision.possible(), take.request(), take.by())),
                        false);
    }

    private static OrderProblem problem(LockAct.Call call, TakenRequest take, GuardModel.Conflict certain) {
        return new OrderProblem(call.context().at(), Messages.order(certain, take.request(), take.by()), true);
    }

    /** What is wrong inside of a method that is called, where other callers make it right: nothing was reported there. */
    private @Nullable OrderProblem problemInside(MethodFacts method, LockAct.Call call) {
        for (TakenRequest take : takes.of(call)) {
            List<HeldModel> outside = outside(method, call);
            List<HeldModel> blamed = reacquired(take.inner(), outside).stream()
                    .filter(lease -> !reported.contains(new Nesting(take.origin(), lease.site())))
                    .toList();
            GuardModel.Conflict certain = decide(method, call, take, blamed).certain();
            if (certain != null) {
                reported.add(new Nesting(take.origin(), certain.lease().site()));
                return problem(call, take, certain);
            }
        }
        return null;
    }

    /** What a method holds, when it is called where that is held outside. */
    private static List<HeldModel> reacquired(List<HeldModel> inner, List<HeldModel> outside) {
        List<HeldModel> all = new ArrayList<>(outside);
        for (HeldModel each : inner) {
            List<LockModel> rest =
                    GuardModel.decide(each.request(), each.on(), all, List.of()).rest();
            all.add(each.withLocks(rest));
        }
        return List.copyOf(all.subList(outside.size(), all.size()));
    }

    private List<HeldModel> outside(MethodFacts method, LockAct.Call call) {
        List<HeldModel> outside = new ArrayList<>(call.context().held());
        outside.addAll(surroundings.around(method.owner()));
        return outside;
    }

    private GuardModel.Decision decide(
            MethodFacts method, LockAct.Call call, TakenRequest take, List<HeldModel> blamed) {
        List<HeldModel> all = outside(method, call);
        all.addAll(reacquired(take.inner(), all));
        return GuardModel.decide(take.request(), take.on(), all, blamed);
    }

    private boolean isCovered(LockContracts.Contract contract, MethodFacts method, LockAct.Context context) {
        List<HeldModel> held = new ArrayList<>(context.held());
        held.addAll(surroundings.around(method.owner()));
        return source.locked(contract, held, null).wanted().stream()
                .map(each -> each.key().kind())
                .allMatch(kind -> kind != null && held.stream().anyMatch(lease -> lease.mayHold(kind)));
    }

    // ---- what callers must hold

    private @Nullable OrderProblem needs(MethodFacts method, LockAct.Call call, LockContracts.Contract contract) {
        LockAct.Context context = call.context();
        if (!context.closed() || isCalledElsewhere(method) || surroundings.isUnknown(method.owner())) {
            return null;
        }
        List<HeldModel> held = new ArrayList<>(context.held());
        held.addAll(surroundings.around(method.owner()));
        for (String prefix : contract.holds()) {
            if (!mayHold(prefix, held)) {
                String caller = method.owner().getSimpleName() + "()";
                return new OrderProblem(
                        context.at(),
                        Messages.notHeld(CallEffects.name(call.method()), prefix, context.held(), caller),
                        true);
            }
        }
        return null;
    }

    /** A private method needs what it calls, at its own calls; nothing is known of code in a class inside a method. */
    private boolean isCalledElsewhere(MethodFacts method) {
        return method.owner() instanceof ExecutableElement owner
                && SourceTypes.ownerOf(owner).getEnclosingElement() instanceof ExecutableElement;
    }

    private boolean mayHold(String prefix, List<HeldModel> held) {
        KnownKind kind = source.lookup().find(prefix, held);
        if (kind != null) {
            return held.stream().anyMatch(each -> each.mayHold(kind));
        }
        return held.stream().anyMatch(each -> !each.complete() || !each.locks().isEmpty());
    }
}
