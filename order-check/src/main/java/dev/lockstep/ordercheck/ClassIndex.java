package dev.lockstep.ordercheck;

import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.CompoundAssignmentTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.UnaryTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.TreeScanner;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/** What a top-level class declares: methods, variables, which of them are assigned later, and which leases are used as more than a value. */
final class ClassIndex extends TreeScanner<@Nullable Void, @Nullable Void> {
    private static final Set<String> HARMLESS = Set.of(
            "id",
            "token",
            "keys",
            "owner",
            "source",
            "expiresAt",
            "isHeld",
            "ensureHeld",
            "renew",
            "downgrade",
            "lost",
            "toString",
            "hashCode");

    private final SourceTypes types;
    private final CompilationUnitTree unit;
    private final Map<ExecutableElement, MethodTree> methods = new LinkedHashMap<>();
    private final Map<Element, VariableTree> variables = new HashMap<>();
    private final Set<Element> assigned = new HashSet<>();
    private final Set<Element> handled = new HashSet<>();
    private final Set<TypeElement> kindTypes = new LinkedHashSet<>();
    private boolean mentionsLocks;

    ClassIndex(SourceTypes types, CompilationUnitTree unit, ClassTree type) {
        this.types = types;
        this.unit = unit;
        scan(type, null);
    }

    Map<ExecutableElement, MethodTree> methods() {
        return methods;
    }

    CompilationUnitTree unit() {
        return unit;
    }

    @Nullable
    VariableTree declaration(Element variable) {
        return variables.get(variable);
    }

    /** The body that a call of a method surely runs: that of a method of this class that no other one can override. */
    @Nullable
    BlockTree body(ExecutableElement method) {
        MethodTree tree = methods.get(method);
        return tree != null && isFixed(method) ? tree.getBody() : null;
    }

    private static boolean isFixed(ExecutableElement method) {
        Element type = SourceTypes.ownerOf(method);
        return method.getKind() == ElementKind.CONSTRUCTOR
                || method.getModifiers().contains(Modifier.PRIVATE)
                || method.getModifiers().contains(Modifier.STATIC)
                || method.getModifiers().contains(Modifier.FINAL)
                || type.getModifiers().contains(Modifier.FINAL)
                || type.getKind() == ElementKind.RECORD;
    }

    /** Whether a variable has the value that it was declared with, wherever it can be read. */
    boolean isStable(Element variable) {
        return variable.getModifiers().contains(Modifier.FINAL)
                || (variables.containsKey(variable) && !assigned.contains(variable));
    }

    /** Whether a lease is closed, or handed to code that may close it. */
    boolean isHandled(Element lease) {
        return handled.contains(lease);
    }

    /** The types whose kinds it mentions. */
    Set<TypeElement> kindTypes() {
        return kindTypes;
    }

    /** Whether it calls what acquires locks, or is annotated; otherwise nothing is to be checked. */
    boolean mentionsLocks() {
        return mentionsLocks;
    }

    @Nullable
    Element element(Tree tree) {
        return types.element(unit, tree);
    }

    @Override
    public @Nullable Void visitMethod(MethodTree node, @Nullable Void unused) {
        if (element(node) instanceof ExecutableElement method) {
            methods.put(method, node);
            mentionsLocks |= LockContracts.isAnnotated(method);
        }
        return super.visitMethod(node, null);
    }

    @Override
    public @Nullable Void visitVariable(VariableTree node, @Nullable Void unused) {
        Element variable = element(node);
        if (variable != null) {
            variables.put(variable, node);
            mention(variable);
        }
        return super.visitVariable(node, null);
    }

    @Override
    public @Nullable Void visitAssignment(AssignmentTree node, @Nullable Void unused) {
        assign(node.getVariable());
        scan(node.getExpression(), null);
        return node.getVariable() instanceof IdentifierTree ? null : scan(node.getVariable(), null);
    }

    @Override
    public @Nullable Void visitCompoundAssignment(CompoundAssignmentTree node, @Nullable Void unused) {
        assign(node.getVariable());
        return super.visitCompoundAssignment(node, null);
    }

    @Override
    public @Nullable Void visitUnary(UnaryTree node, @Nullable Void unused) {
        switch (node.getKind()) {
            case PREFIX_INCREMENT, PREFIX_DECREMENT, POSTFIX_INCREMENT, POSTFIX_DECREMENT ->
                assign(node.getExpression());
            default -> {}
        }
        return super.visitUnary(node, null);
    }

    private void assign(Tree target) {
        Element variable = element(target);
        if (variable != null) {
            assigned.add(variable);
        }
    }

    @Override
    public @Nullable Void visitMethodInvocation(MethodInvocationTree node, @Nullable Void unused) {
        if (!mentionsLocks && element(node) instanceof ExecutableElement method) {
            String role = types.role(method.getEnclosingElement());
            mentionsLocks = role.equals("Locks") || role.equals("Lease") || LockContracts.isAnnotated(method);
        }
        return super.visitMethodInvocation(node, null);
    }

    @Override
    public @Nullable Void visitMemberSelect(MemberSelectTree node, @Nullable Void unused) {
        if (node.getExpression() instanceof IdentifierTree
                && HARMLESS.contains(node.getIdentifier().toString())) {
            return null;
        }
        mention(element(node));
        return super.visitMemberSelect(node, null);
    }

    @Override
    public @Nullable Void visitIdentifier(IdentifierTree node, @Nullable Void unused) {
        Element named = element(node);
        if (named != null && isVariable(named)) {
            handled.add(named);
            mention(named);
        }
        return null;
    }

    private void mention(@Nullable Element named) {
        if (named != null
                && (named.getKind() == ElementKind.ENUM_CONSTANT || named.getKind() == ElementKind.FIELD)
                && types.isKindType(named.asType())
                && named.getEnclosingElement() instanceof TypeElement type) {
            kindTypes.add(type);
        }
    }

    private static boolean isVariable(Element element) {
        return switch (element.getKind()) {
            case LOCAL_VARIABLE,
                    PARAMETER,
                    FIELD,
                    ENUM_CONSTANT,
                    RESOURCE_VARIABLE,
                    EXCEPTION_PARAMETER,
                    BINDING_VARIABLE -> true;
            default -> false;
        };
    }
}
