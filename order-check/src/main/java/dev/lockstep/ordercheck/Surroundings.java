package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/**
 * What may be held around a method when it runs: by its callers in the same top-level class, by leases that outlive the statement that acquired them,
 * and, for a class inside a method, by that method. Nothing of it is sure, but all of it may cover a request.
 */
final class Surroundings {
    private static final CodeSite NOWHERE = new CodeSite("", "", "", 0);

    /** Kinds of which something may be held, by name, and whether anything may be. */
    private static final class Kinds {
        private final Map<String, KnownKind> kinds = new LinkedHashMap<>();
        private boolean any;

        boolean add(HeldModel lease) {
            boolean changed = !lease.complete() && !any;
            any |= !lease.complete();
            for (LockModel lock : lease.locks()) {
                KnownKind kind = lock.kind();
                changed |= kind == null ? !any : lock.isTarget() && kinds.put(kind.toString(), kind) == null;
                any |= kind == null;
            }
            return changed;
        }

        boolean addAll(Kinds other) {
            boolean changed = other.any && !any;
            any |= other.any;
            for (Map.Entry<String, KnownKind> each : other.kinds.entrySet()) {
                changed |= kinds.putIfAbsent(each.getKey(), each.getValue()) == null;
            }
            return changed;
        }

        boolean isEmpty() {
            return kinds.isEmpty() && !any;
        }

        HeldModel held() {
            List<LockModel> locks = kinds.values().stream()
                    .map(kind -> new LockModel(KeyModel.any(kind), ModeModel.S, ModeModel.X, false))
                    .toList();
            return new HeldModel(
                    new Object(),
                    RequestModel.unknown(null),
                    locks,
                    !any,
                    new HolderModel(null),
                    LocksModel.unknown(),
                    false,
                    "around",
                    NOWHERE);
        }
    }

    private final Map<Element, Kinds> around = new HashMap<>();
    private final Set<Element> unknown = new HashSet<>();
    private final Map<Element, Kinds> strays = new HashMap<>();

    Surroundings(ClassCheck source) {
        Collection<MethodFacts> methods = source.facts().values();
        for (MethodFacts each : methods) {
            Kinds ofClass = strays.computeIfAbsent(typeOf(each.owner()), type -> new Kinds());
            each.strays().forEach(ofClass::add);
            Element outer = enclosingMethod(each.owner());
            MethodFacts enclosing = outer == null ? null : source.facts().get(outer);
            if (enclosing != null) {
                enclosing.acts().forEach(act -> act.context().held().forEach(of(each.owner())::add));
                enclosing.acts().forEach(act -> requested(act, of(each.owner())));
            }
        }
        boolean changed = true;
        for (int round = 0; changed && round < 64; round++) {
            changed = false;
            for (MethodFacts caller : methods) {
                for (LockAct act : caller.acts()) {
                    if (act instanceof LockAct.Call call && source.isFollowed(call.method())) {
                        changed |= extend(of(call.method()), call, of(caller.owner()));
                        changed |= (unknown.contains(caller.owner())
                                        || !call.context().closed())
                                && unknown.add(call.method());
                    }
                }
            }
        }
    }

    private static void requested(LockAct act, Kinds kinds) {
        if (act instanceof LockAct.Acquisition own) {
            kinds.add(new HeldModel(
                    own,
                    own.request(),
                    PlanModel.of(own.request()),
                    own.request().complete(),
                    new HolderModel(null),
                    own.on(),
                    false,
                    "",
                    NOWHERE));
        }
    }

    private static boolean extend(Kinds callee, LockAct.Call call, Kinds caller) {
        boolean changed = callee.addAll(caller);
        for (HeldModel each : call.context().held()) {
            changed |= callee.add(each);
        }
        return changed;
    }

    private Kinds of(Element method) {
        return around.computeIfAbsent(method, each -> new Kinds());
    }

    private static @Nullable Element enclosingMethod(Element owner) {
        for (Element each = owner.getEnclosingElement(); each != null; each = each.getEnclosingElement()) {
            if (each.getKind() == ElementKind.METHOD || each.getKind() == ElementKind.CONSTRUCTOR) {
                return each;
            }
        }
        return null;
    }

    /** Whether a method is called by code that runs elsewhere, maybe under locks that are not seen here. */
    boolean isUnknown(Element method) {
        return unknown.contains(method);
    }

    /** What may be held around a method. */
    List<HeldModel> around(Element method) {
        List<HeldModel> held = new ArrayList<>();
        if (!of(method).isEmpty()) {
            held.add(of(method).held());
        }
        for (@Nullable Element type = typeOf(method); type != null; type = type.getEnclosingElement()) {
            Kinds ofClass = strays.get(type);
            if (ofClass != null && !ofClass.isEmpty()) {
                held.add(ofClass.held());
            }
        }
        return held;
    }

    private static Element typeOf(Element owner) {
        return owner instanceof TypeElement ? owner : SourceTypes.ownerOf(owner);
    }
}
