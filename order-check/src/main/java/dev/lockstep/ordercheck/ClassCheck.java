package dev.lockstep.ordercheck;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.element.VariableElement;
import org.jspecify.annotations.Nullable;

/** Reads one top-level class: the facts of its methods, and what its annotations say wrongly. */
final class ClassCheck {
    private final SourceTypes types;
    private final KindReader kinds;
    private final LockContracts contracts;
    private final ClassIndex index;
    private final LevelReader levels;
    private final ExpressionReader reader;
    private final KindLookup lookup;
    private final Map<Element, MethodFacts> facts = new LinkedHashMap<>();
    private final List<OrderProblem> problems = new ArrayList<>();

    ClassCheck(SourceTypes types, KindReader kinds, LockContracts contracts, ClassIndex index, CheckOptions options) {
        this.types = types;
        this.kinds = kinds;
        this.contracts = contracts;
        this.index = index;
        NamedValues names = new NamedValues(types, index);
        levels = new LevelReader(names, kinds);
        reader = new ExpressionReader(names, levels);
        lookup = new KindLookup(types, levels::kindOf, options.kinds(), index.kindTypes());
    }

    Map<Element, MethodFacts> facts() {
        return facts;
    }

    List<OrderProblem> problems() {
        return problems;
    }

    KindLookup lookup() {
        return lookup;
    }

    void read(ClassTree topLevel) {
        for (Map.Entry<ExecutableElement, MethodTree> each : index.methods().entrySet()) {
            readMethod(each.getKey(), each.getValue());
        }
        new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitClass(ClassTree node, @Nullable Void unused) {
                readInitializers(node);
                return super.visitClass(node, null);
            }
        }.scan(topLevel, null);
    }

    private void readMethod(ExecutableElement method, MethodTree tree) {
        Sites sites = sites(method);
        HolderModel holder = new HolderModel(null);
        List<HeldModel> held = new ArrayList<>(leasesOfCaller(method, holder, sites.of(tree)));
        LockContracts.Contract contract = contracts.of(method);
        if (!contract.holds().isEmpty()) {
            held.add(heldByContract(request(contract.holds(), held), holder, "by the caller (@Holds)", sites.of(tree)));
        }
        if (contract.isLocked() && !method.getModifiers().contains(Modifier.STATIC)) {
            RequestModel request = locked(contract, held, tree);
            held.add(heldByContract(request, holder, "by @Locked of " + method.getSimpleName() + "()", sites.of(tree)));
        }
        walk(method, new MethodFacts(method, holder, List.copyOf(held)), sites, tree.getBody());
    }

    /** The leases that a method gets as parameters: what they hold is not known. */
    private List<HeldModel> leasesOfCaller(ExecutableElement method, HolderModel holder, CodeSite site) {
        List<HeldModel> leases = new ArrayList<>();
        for (VariableElement parameter : method.getParameters()) {
            String role = types.role(parameter.asType());
            if (role.equals("Lease") || role.equals("Granted")) {
                leases.add(HeldModel.unknown(parameter, holder, "by the caller", site));
            }
        }
        return leases;
    }

    private static HeldModel heldByContract(RequestModel request, HolderModel holder, String since, CodeSite site) {
        return new HeldModel(
                new Object(),
                request,
                PlanModel.of(request),
                request.complete(),
                holder,
                LocksModel.application(),
                true,
                since,
                site);
    }

    /** A request for any things of these kinds, in any mode. */
    RequestModel request(List<String> prefixes, List<HeldModel> held) {
        RequestModel all = RequestModel.of(List.of(), ModeModel.X);
        for (String prefix : prefixes) {
            KnownKind kind = lookup.find(prefix, held);
            all = all.and(
                    kind == null
                            ? RequestModel.unknown(null)
                            : RequestModel.of(List.of(KeyModel.any(kind)), ModeModel.S, ModeModel.X));
        }
        return all;
    }

    /** The request of a locked method; what is wrong with its texts is reported once, where a tree is given. */
    RequestModel locked(LockContracts.Contract contract, List<HeldModel> held, @Nullable MethodTree at) {
        RequestModel all = RequestModel.of(List.of(), ModeModel.X);
        for (String text : contract.locked()) {
            all = all.and(locked(text, ModeModel.X, held, at));
        }
        for (String text : contract.lockedShared()) {
            all = all.and(locked(text, ModeModel.S, held, at));
        }
        return all;
    }

    private RequestModel locked(String text, ModeModel mode, List<HeldModel> held, @Nullable MethodTree at) {
        LockedText.Reading reading = LockedText.read(text, lookup, held);
        if (reading.problem() != null && at != null && !Suppressions.isSuppressedAround(index.element(at))) {
            problems.add(new OrderProblem(at, reading.problem(), true));
        }
        return reading.key() == null ? RequestModel.unknown(null) : RequestModel.of(List.of(reading.key()), mode);
    }

    private void readInitializers(ClassTree type) {
        if (!(index.element(type) instanceof TypeElement owner)) {
            return;
        }
        Sites sites = new Sites(types, index.unit(), binaryName(owner), "<init>");
        MethodFacts initializers = new MethodFacts(owner, new HolderModel(null), List.of());
        for (Tree member : type.getMembers()) {
            if (member instanceof VariableTree || member instanceof BlockTree) {
                walk(owner, initializers, sites, member);
            }
            Element variable = member instanceof VariableTree ? index.element(member) : null;
            if (member instanceof VariableTree field && variable != null) {
                compare(field, variable);
            }
        }
    }

    /** A constant's annotation is what other classes see; its value is what runs. */
    private void compare(VariableTree field, Element variable) {
        KnownKind annotated = variable.getKind() == ElementKind.FIELD ? kinds.read(variable) : null;
        KnownKind made =
                annotated == null || field.getInitializer() == null ? null : levels.kind(field.getInitializer());
        if (annotated != null
                && made != null
                && !names(annotated).equals(names(made))
                && !Suppressions.isSuppressedAround(variable)) {
            problems.add(new OrderProblem(
                    field, Messages.contradiction(variable.getSimpleName().toString(), annotated, made), true));
        }
    }

    private static List<String> names(KnownKind kind) {
        return kind.chain().stream().map(KnownKind::toString).toList();
    }

    private void walk(Element owner, MethodFacts found, Sites sites, @Nullable Tree body) {
        facts.put(owner, found);
        if (body != null) {
            new BodyWalker(index, reader, contracts, sites, found).scan(body, null);
        }
    }

    /** Whether what a method does is known from its body. */
    boolean isFollowed(ExecutableElement method) {
        return index.body(method) != null;
    }

    private Sites sites(ExecutableElement method) {
        Element type = SourceTypes.ownerOf(method);
        String name = type instanceof TypeElement owner ? binaryName(owner) : type.toString();
        return new Sites(types, index.unit(), name, method.getSimpleName().toString());
    }

    private String binaryName(TypeElement type) {
        return types.elements().getBinaryName(type).toString();
    }

    CompilationUnitTree unit() {
        return index.unit();
    }
}
