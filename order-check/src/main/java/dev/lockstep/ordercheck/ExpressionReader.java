package dev.lockstep.ordercheck;

import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.VariableElement;
import javax.lang.model.type.ArrayType;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/** Reads what expressions mean: keys, requests, {@code Locks}, and the arguments of calls. */
final class ExpressionReader {
    private static final int DEEPEST = 24;

    private final NamedValues names;
    private final LevelReader levels;

    ExpressionReader(NamedValues names, LevelReader levels) {
        this.names = names;
        this.levels = levels;
    }

    NamedValues names() {
        return names;
    }

    // ---- keys

    KeyModel key(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof MethodInvocationTree call) {
            return keyOf(call);
        }
        Element named = names.named(plain);
        if (named == null || !names.isStable(named) || !names.isOfThis(plain)) {
            return KeyModel.unknown(new Object());
        }
        KeyModel made = names.initial(named, "key", this::key);
        if (made == null) {
            return KeyModel.unknown(named);
        }
        return made;
    }

    private KeyModel keyOf(MethodInvocationTree call) {
        List<? extends ExpressionTree> arguments = call.getArguments();
        String method = names.coreMethod(call);
        ExpressionTree receiver = NamedValues.receiver(call);
        if ((method.equals("LockKind.key") || method.equals("NamedKind.key"))
                && receiver != null
                && arguments.size() == 1) {
            KnownKind kind = levels.kind(receiver);
            return kind == null || kind.parent() != null
                    ? KeyModel.unknown(new Object())
                    : KeyModel.root(kind, levels.id(arguments.get(0)));
        }
        if (method.equals("LockKey.child") && receiver != null && arguments.size() == 2) {
            KnownKind kind = levels.kind(arguments.get(0));
            return kind == null
                    ? KeyModel.unknown(new Object())
                    : child(key(receiver), kind, levels.id(arguments.get(1)));
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
        Element named = names.named(plain);
        if (named == null || !names.isStable(named)) {
            return RequestModel.unknown(null);
        }
        RequestModel made = names.initial(named, "request", this::request);
        return made == null ? RequestModel.unknown(named) : made;
    }

    private RequestModel requestOf(MethodInvocationTree call) {
        String method = names.coreMethod(call);
        ExpressionTree receiver = NamedValues.receiver(call);
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
            if (names.roleOf(each).equals("LockKey")) {
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
        Element named = names.named(plain);
        if (named == null) {
            return LocksModel.unknown();
        }
        if (named.getKind() == ElementKind.FIELD) {
            return fieldPath(plain, named);
        }
        if (!names.isStable(named)) {
            return LocksModel.unknown();
        }
        LocksModel made = names.initial(named, "locks", this::locks);
        return made instanceof LocksModel.Path ? made : new LocksModel.Path(List.of(named));
    }

    private LocksModel fieldPath(ExpressionTree plain, Element field) {
        if (names.isOfThis(plain)) {
            return new LocksModel.Path(List.of(field));
        }
        return plain instanceof MemberSelectTree select
                ? below(locks(select.getExpression()), field)
                : LocksModel.unknown();
    }

    /** What a record's accessor returns is the same each time. */
    private LocksModel accessor(MethodInvocationTree call) {
        ExpressionTree receiver = NamedValues.receiver(call);
        ExecutableElement method = names.method(call);
        return receiver != null
                        && call.getArguments().isEmpty()
                        && method != null
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

    // ---- arguments

    /** The arguments of a call of a method of the same top-level class, as their parameters name them. */
    CallArguments arguments(MethodInvocationTree call, ExecutableElement method) {
        CallArguments arguments = new CallArguments(names.isOfThis(call.getMethodSelect()));
        List<? extends VariableElement> parameters = method.getParameters();
        for (int i = 0; i < parameters.size() && i < call.getArguments().size(); i++) {
            VariableElement parameter = parameters.get(i);
            ExpressionTree argument = call.getArguments().get(i);
            TypeMirror type = parameter.asType();
            switch (names.role(type)) {
                case "LockKey" -> arguments.put(parameter, key(argument));
                case "LockRequest" -> arguments.put(parameter, request(argument));
                case "Locks" -> arguments.put(parameter, locks(argument));
                case "" -> {
                    if (!(type instanceof ArrayType)) {
                        arguments.put(parameter, levels.id(argument));
                    }
                }
                default -> {}
            }
        }
        return arguments;
    }

    private <T> @Nullable T returned(
            MethodInvocationTree call,
            Function<ExpressionTree, @Nullable T> reader,
            BiFunction<CallArguments, T, T> substitution) {
        return names.returned(call, reader, (method, value) -> substitution.apply(arguments(call, method), value));
    }
}
