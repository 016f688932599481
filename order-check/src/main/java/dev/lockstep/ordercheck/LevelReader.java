package dev.lockstep.ordercheck;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.Tree;
import java.util.List;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.VariableElement;
import org.jspecify.annotations.Nullable;

/** Reads what a level of a key consists of: its kind and its id. */
final class LevelReader {
    private final NamedValues names;
    private final KindReader annotated;

    LevelReader(NamedValues names, KindReader annotated) {
        this.names = names;
        this.annotated = annotated;
    }

    @Nullable
    KnownKind kind(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof MethodInvocationTree call) {
            return kindOf(call);
        }
        Element named = names.named(plain);
        return named == null ? null : kindOf(named);
    }

    /** The kind that a variable is. */
    @Nullable
    KnownKind kindOf(Element named) {
        if (KindReader.isConstant(named)) {
            KnownKind kind = annotated.read(named);
            if (kind != null || named.getKind() == ElementKind.ENUM_CONSTANT) {
                return kind;
            }
        }
        KnownKind made = names.initial(named, "kind", this::kind);
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
        return switch (names.coreMethod(call)) {
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
        ExpressionTree receiver = NamedValues.receiver(call);
        return receiver == null ? null : kind(receiver);
    }

    private @Nullable Object constant(ExpressionTree tree) {
        ExpressionTree plain = SourceTypes.plain(tree);
        if (plain instanceof LiteralTree literal) {
            return literal.getValue();
        }
        if (plain instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
            return sum(constant(sum.getLeftOperand()), constant(sum.getRightOperand()));
        }
        Element named = names.named(plain);
        if (!(named instanceof VariableElement variable)) {
            return null;
        }
        Object value = variable.getConstantValue();
        return value != null ? value : names.initial(variable, "constant", this::constant);
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
        Element named = names.named(SourceTypes.plain(tree));
        if (named == null || !names.isStable(named) || !names.isOfThis(SourceTypes.plain(tree))) {
            return IdModel.unknown();
        }
        IdModel known = named.getKind() == ElementKind.FIELD ? null : names.initial(named, "namedId", this::namedId);
        return known == null ? new IdModel.Symbolic(named, 0) : known;
    }

    private @Nullable IdModel namedId(ExpressionTree tree) {
        return names.named(SourceTypes.plain(tree)) == null ? null : id(tree);
    }
}
