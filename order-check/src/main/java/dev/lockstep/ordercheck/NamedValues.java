package dev.lockstep.ordercheck;

import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Name;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/**
 * What names in a class mean, and the only values that they have: those of variables that are assigned once, and of methods of the same top-level class
 * that do nothing but return an expression.
 */
final class NamedValues {
    private final SourceTypes types;
    private final ClassIndex index;
    private final Map<Object, Object> ofVariables = new HashMap<>();
    private final Set<Object> inProgress = new HashSet<>();

    NamedValues(SourceTypes types, ClassIndex index) {
        this.types = types;
        this.index = index;
    }

    /** The variable that an expression names. */
    @Nullable
    Element named(ExpressionTree plain) {
        return plain instanceof IdentifierTree || plain instanceof MemberSelectTree ? index.element(plain) : null;
    }

    /** Whether a name means a member of this object or of its class, or no member. */
    boolean isOfThis(ExpressionTree name) {
        if (!(name instanceof MemberSelectTree select)) {
            return true;
        }
        ExpressionTree owner = SourceTypes.plain(select.getExpression());
        return isThis(owner) || index.element(owner) instanceof TypeElement;
    }

    private static boolean isThis(ExpressionTree tree) {
        Name name = tree instanceof IdentifierTree simple
                ? simple.getName()
                : tree instanceof MemberSelectTree select ? select.getIdentifier() : null;
        return name != null && (name.contentEquals("this") || name.contentEquals("super"));
    }

    static @Nullable ExpressionTree receiver(MethodInvocationTree call) {
        return call.getMethodSelect() instanceof MemberSelectTree select ? select.getExpression() : null;
    }

    /** The method or constructor that a call or a reference means. */
    @Nullable
    ExecutableElement method(Tree call) {
        return index.element(call) instanceof ExecutableElement method ? method : null;
    }

    /** {@code Locks.acquire} for a call of that method, of core or overridden; empty for methods of other types. */
    String coreMethod(MethodInvocationTree call) {
        ExecutableElement method = method(call);
        String role = method == null ? "" : types.role(method.getEnclosingElement());
        return method == null || role.isEmpty() ? "" : role + "." + method.getSimpleName();
    }

    /** The simple name of the type of core that a type is or extends; empty for others. */
    String role(@Nullable TypeMirror type) {
        return types.role(type);
    }

    String roleOf(ExpressionTree tree) {
        return types.role(types.type(index.unit(), tree));
    }

    /** Whether a variable always has the value that it was declared with. */
    boolean isStable(Element variable) {
        return index.isStable(variable);
    }

    /** The value that a variable is declared with, if it never has another one; read once, so that it is the same each time. */
    <T> @Nullable T initial(Element variable, String what, Function<ExpressionTree, @Nullable T> reader) {
        VariableTree declaration = index.declaration(variable);
        ExpressionTree initializer = declaration == null ? null : declaration.getInitializer();
        boolean isFixed = variable.getKind() != ElementKind.FIELD || KindReader.isConstant(variable);
        if (initializer == null || !isFixed || !index.isStable(variable) || !inProgress.add(variable)) {
            return null;
        }
        try {
            Object key = List.of(variable, what);
            if (!ofVariables.containsKey(key)) {
                ofVariables.put(key, reader.apply(initializer));
            }
            @SuppressWarnings("unchecked") // each reader has its own type
            T value = (T) ofVariables.get(key);
            return value;
        } finally {
            inProgress.remove(variable);
        }
    }

    /** What a call of a method returns that does nothing else. */
    <T> @Nullable T returned(
            MethodInvocationTree call,
            Function<ExpressionTree, @Nullable T> reader,
            BiFunction<ExecutableElement, T, T> substitution) {
        ExecutableElement method = method(call);
        ExpressionTree expression = method == null ? null : returnedExpression(method);
        if (method == null || expression == null || !inProgress.add(method)) {
            return null;
        }
        try {
            T value = reader.apply(expression);
            return value == null ? null : substitution.apply(method, value);
        } finally {
            inProgress.remove(method);
        }
    }

    /** The expression of a method that can't be overridden and has no other statement. */
    @Nullable
    ExpressionTree returnedExpression(ExecutableElement method) {
        BlockTree body = index.body(method);
        return body != null
                        && body.getStatements().size() == 1
                        && body.getStatements().get(0) instanceof ReturnTree result
                ? result.getExpression()
                : null;
    }
}
