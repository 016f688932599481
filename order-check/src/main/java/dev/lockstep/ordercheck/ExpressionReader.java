package dev.lockstep.ordercheck;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.BlockTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ReturnTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import java.util.ArrayList;
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
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/**
 * Reads what expressions mean: kinds, ids, keys, requests and {@code Locks}. It follows variables that are assigned once, and methods of the same
 * top-level class that do nothing but return an expression.
 */
final class ExpressionReader {
    private static final int DEEPEST = 24;

    private final SourceTypes types;
    private final KindReader kinds;
    private final ClassIndex index;
    private final Map<Object, Object> ofVariables = new HashMap<>();
    private final Set<Object> inProgress = new HashSet<>();

    ExpressionReader(SourceTypes types, KindReader kinds, ClassIndex index) {
        this.types = types;
        this.kinds = kinds;
        this.index = index;
    }

    // ---- kinds

    @Nullable
    KnownKind kind(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof MethodInvocationTree call) {
            return kindOf(call);
        }
        Element named = named(plain);
        return named == null ? null : kindOf(named);
    }

    /** The kind that a variable is. */
    @Nullable
    KnownKind kindOf(Element named) {
        if (KindReader.isConstant(named)) {
            KnownKind annotated = kinds.read(named);
            if (annotated != null || named.getKind() == ElementKind.ENUM_CONSTANT) {
                return annotated;
            }
        }
        KnownKind made = initialValue(named, "kind", this::kind);
        return made == null ? null : declaredIn(made, named);
    }

    private static KnownKind declaredIn(KnownKind kind, Element constant) {
        return constant.getKind() == ElementKind.FIELD
                ? new KnownKind(
                        kind.prefix(),
                        kind.rank(),
                        kind.parent(),
                        SourceTypes.ownerOf(constant).toString())
                : kind;
    }

    private @Nullable KnownKind kindOf(MethodInvocationTree call) {
        List<? extends ExpressionTree> arguments = call.getArguments();
        return switch (coreMethod(call)) {
            case "LockKind.of" ->
                arguments.size() == 2
                                && constant(arguments.get(0)) instanceof String prefix
                                && constant(arguments.get(1)) instanceof Integer rank
                        ? new KnownKind(prefix, rank, null, "")
                        : null;
            case "NamedKind.in" -> in(kindOfReceiver(call), kind(arguments.get(0)));
            case "NamedKind.asLeaf" -> kindOfReceiver(call);
            default -> null;
        };
    }

    private static @Nullable KnownKind in(@Nullable KnownKind own, @Nullable KnownKind parent) {
        return own == null || parent == null || parent.rank() >= own.rank() ? null : own.in(parent);
    }

    private @Nullable KnownKind kindOfReceiver(MethodInvocationTree call) {
        ExpressionTree receiver = receiver(call);
        return receiver == null ? null : kind(receiver);
    }

    // ---- ids and constants

    @Nullable
    Object constant(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof LiteralTree literal) {
            return literal.getValue();
        }
        if (plain instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
            return sum(constant(sum.getLeftOperand()), constant(sum.getRightOperand()));
        }
        Element named = named(plain);
        if (!(named instanceof VariableElement variable)) {
            return null;
        }
        Object value = variable.getConstantValue();
        return value != null ? value : initialValue(variable, "constant", this::constant);
    }

    private static @Nullable Object sum(@Nullable Object left, @Nullable Object right) {
        if (left instanceof Integer one && right instanceof Integer other) {
            return one + other;
        }
        if (left == null || right == null) {
            return null;
        }
        return left instanceof String || right instanceof String ? left.toString() + right : null;
    }

    IdModel id(ExpressionTree tree) {
        if (constant(tree) instanceof String text) {
            return new IdModel.Constant(text);
        }
        Element named = named(SourceTypes.plain(tree));
        if (named == null || !index.isStable(named) || !isOfThis(SourceTypes.plain(tree))) {
            return IdModel.unknown();
        }
        IdModel known = named.getKind() == ElementKind.FIELD ? null : initialValue(named, "namedId", this::namedId);
        return known == null ? new IdModel.Symbolic(named, 0) : known;
    }

    private @Nullable IdModel namedId(ExpressionTree tree) {
        return named(SourceTypes.plain(tree)) == null ? null : id(tree);
    }

    // ---- keys

    KeyModel key(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof MethodInvocationTree call) {
            return keyOf(call);
        }
        Element named = named(plain);
        if (named == null || !index.isStable(named) || !isOfThis(plain)) {
            return KeyModel.unknown(new Object());
        }
        KeyModel made = initialValue(named, "key", this::key);
        if (made == null) {
            return KeyModel.unknown(named);
        }
        return made;
    }

    private KeyModel keyOf(MethodInvocationTree call) {
        List<? extends ExpressionTree> arguments = call.getArguments();
        String method = coreMethod(call);
        ExpressionTree receiver = receiver(call);
        if ((method.equals("LockKind.key") || method.equals("NamedKind.key"))
                && receiver != null
                && arguments.size() == 1) {
            KnownKind kind = kind(receiver);
            return kind == null || kind.parent() != null
                    ? KeyModel.unknown(new Object())
                    : KeyModel.root(kind, id(arguments.get(0)));
        }
        if (method.equals("LockKey.child") && receiver != null && arguments.size() == 2) {
            KnownKind kind = kind(arguments.get(0));
            return kind == null ? KeyModel.unknown(new Object()) : child(key(receiver), kind, id(arguments.get(1)));
        }
        KeyModel returned = returned(call, this::key, CallArguments::key);
        return returned == null ? KeyModel.unknown(new Object()) : returned;
    }

    private static KeyModel child(KeyModel parent, KnownKind kind, IdModel id) {
        KnownKind expected = kind.parent();
        KnownKind actual = parent.kind();
        boolean fits = expected != null && (actual == null || actual.isSame(expected));
        return fits && parent.levels().size() <= DEEPEST ? parent.child(kind, id) : KeyModel.unknown(new Object());
    }

    // ---- requests

    RequestModel request(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof MethodInvocationTree call) {
            return requestOf(call);
        }
        Element named = named(plain);
        if (named == null || !index.isStable(named)) {
            return RequestModel.unknown(null);
        }
        RequestModel made = initialValue(named, "request", this::request);
        return made == null ? RequestModel.unknown(named) : made;
    }

    private RequestModel requestOf(MethodInvocationTree call) {
        String method = coreMethod(call);
        ExpressionTree receiver = receiver(call);
        if (method.equals("LockRequest.exclusive") || method.equals("LockRequest.shared")) {
            return ofKeys(call, method.endsWith("shared") ? ModeModel.S : ModeModel.X);
        }
        if (method.startsWith("LockRequest.") && receiver != null) {
            RequestModel before = request(receiver);
            return switch (method) {
                case "LockRequest.andExclusive" -> before.and(ofKeys(call, ModeModel.X));
                case "LockRequest.andShared" -> before.and(ofKeys(call, ModeModel.S));
                case "LockRequest.forTerm" -> before.withTerm();
                default -> before;
            };
        }
        RequestModel returned = returned(call, this::request, CallArguments::request);
        return returned == null ? RequestModel.unknown(null) : returned;
    }

    private RequestModel ofKeys(MethodInvocationTree call, ModeModel mode) {
        List<KeyModel> keys = new ArrayList<>();
        boolean complete = true;
        for (ExpressionTree each : call.getArguments()) {
            TypeMirror type = types.type(index.unit(), each);
            if (types.role(type).equals("LockKey")) {
                keys.add(key(each));
            } else {
                complete = false; // a collection or an array
            }
        }
        RequestModel request = RequestModel.of(keys, mode);
        return complete ? request : request.and(RequestModel.unknown(null));
    }

    // ---- locks

    LocksModel locks(@Nullable ExpressionTree tree) {
        if (tree == null) {
            return LocksModel.unknown(); // a call inside of an implementation
        }
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof MethodInvocationTree call) {
            LocksModel returned = returned(call, this::locks, CallArguments::locks);
            return returned != null ? returned : accessor(call);
        }
        Element named = named(plain);
        if (named == null) {
            return LocksModel.unknown();
        }
        if (named.getKind() == ElementKind.FIELD) {
            return fieldPath(plain, named);
        }
        if (!index.isStable(named)) {
            return LocksModel.unknown();
        }
        LocksModel made = initialValue(named, "locks", this::locks);
        return made instanceof LocksModel.Path ? made : new LocksModel.Path(List.of(named));
    }

    private LocksModel fieldPath(ExpressionTree plain, Element field) {
        if (isOfThis(plain)) {
            return new LocksModel.Path(List.of(field));
        }
        return plain instanceof MemberSelectTree select
                ? below(locks(select.getExpression()), field)
                : LocksModel.unknown();
    }

    /** What a record's accessor returns is the same each time. */
    private LocksModel accessor(MethodInvocationTree call) {
        ExpressionTree receiver = receiver(call);
        return receiver != null
                        && call.getArguments().isEmpty()
                        && index.element(call) instanceof ExecutableElement method
                        && SourceTypes.ownerOf(method).getKind() == ElementKind.RECORD
                ? below(locks(receiver), method)
                : LocksModel.unknown();
    }

    private static LocksModel below(LocksModel owner, Element member) {
        if (!(owner instanceof LocksModel.Path path)) {
            return LocksModel.unknown();
        }
        List<Object> elements = new ArrayList<>(path.elements());
        elements.add(member);
        return new LocksModel.Path(List.copyOf(elements));
    }

    // ---- what all have in common

    /** The arguments of a call of a method of the same top-level class, as their parameters name them. */
    CallArguments arguments(MethodInvocationTree call, ExecutableElement method) {
        CallArguments arguments = new CallArguments(isOfThis(call.getMethodSelect()));
        List<? extends VariableElement> parameters = method.getParameters();
        for (int i = 0; i < parameters.size() && i < call.getArguments().size(); i++) {
            VariableElement parameter = parameters.get(i);
            ExpressionTree argument = call.getArguments().get(i);
            TypeMirror type = parameter.asType();
            switch (types.role(type)) {
                case "LockKey" -> arguments.put(parameter, key(argument));
                case "LockRequest" -> arguments.put(parameter, request(argument));
                case "Locks" -> arguments.put(parameter, locks(argument));
                case "" -> {
                    if (!(type instanceof ArrayType)) {
                        arguments.put(parameter, id(argument));
                    }
                }
                default -> {}
            }
        }
        return arguments;
    }

    /** The value that a variable is declared with, if it never has another one; read once, so that it is the same each time. */
    private <T> @Nullable T initialValue(Element variable, String what, Function<ExpressionTree, @Nullable T> reader) {
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
    private <T> @Nullable T returned(
            MethodInvocationTree call,
            Function<ExpressionTree, @Nullable T> reader,
            BiFunction<CallArguments, T, T> substitution) {
        if (!(index.element(call) instanceof ExecutableElement method)) {
            return null;
        }
        ExpressionTree expression = returnedExpression(method);
        if (expression == null || !inProgress.add(method)) {
            return null;
        }
        try {
            T value = reader.apply(expression);
            return value == null ? null : substitution.apply(arguments(call, method), value);
        } finally {
            inProgress.remove(method);
        }
    }

    /** The expression of a method that can't be overridden and has no other statement. */
    @Nullable
    ExpressionTree returnedExpression(ExecutableElement method) {
        MethodTree tree = index.methods().get(method);
        BlockTree body = tree == null || !CallGraph.isFixed(method) ? null : tree.getBody();
        return body != null
                        && body.getStatements().size() == 1
                        && body.getStatements().get(0) instanceof ReturnTree result
                ? result.getExpression()
                : null;
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

    /** {@code Locks.acquire} for a call of that method, of core or overridden; empty for methods of other types. */
    String coreMethod(MethodInvocationTree call) {
        if (!(index.element(call) instanceof ExecutableElement method)) {
            return "";
        }
        String role = types.role(method.getEnclosingElement());
        return role.isEmpty() ? "" : role + "." + method.getSimpleName();
    }
}
