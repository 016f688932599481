package dev.lockstep.spring.locked;

import dev.lockstep.core.InvalidRequestException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.CompoundExpression;
import org.springframework.expression.spel.ast.FunctionReference;
import org.springframework.expression.spel.ast.Indexer;
import org.springframework.expression.spel.ast.InlineMap;
import org.springframework.expression.spel.ast.Projection;
import org.springframework.expression.spel.ast.PropertyOrFieldReference;
import org.springframework.expression.spel.ast.Selection;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;

/** The names that expressions may use for a method's arguments: those in the source, and {@code #p0} or {@code #a0} for the first. */
final class ArgumentNames {
    static final ParameterNameDiscoverer DISCOVERER = new DefaultParameterNameDiscoverer();

    private static final List<String> ROOT_PROPERTIES = Arrays.stream(LockedMethod.CallRoot.class.getRecordComponents())
            .map(RecordComponent::getName)
            .toList();

    private final int count;
    private final @Nullable List<String> inSource;

    ArgumentNames(Method method) {
        count = method.getParameterCount();
        @Nullable String @Nullable [] found = DISCOVERER.getParameterNames(method);
        inSource =
                found == null ? null : Arrays.stream(found).map(String::valueOf).toList();
    }

    void check(SpelExpression expression, BiFunction<String, String, InvalidRequestException> invalid) {
        checkNames(expression.getAST(), invalid);
        checkRoot(expression.getAST(), invalid);
    }

    private void checkNames(SpelNode node, BiFunction<String, String, InvalidRequestException> invalid) {
        if (node instanceof FunctionReference) {
            throw invalid.apply("there is no function " + node.toStringAST(), "Call a method of an argument instead.");
        }
        if (node instanceof BeanReference) {
            throw invalid.apply(
                    node.toStringAST() + " is a bean, which a key can't ask", "Hand its answer in as an argument.");
        }
        if (node instanceof VariableReference && !isKnown(node.toStringAST().substring(1))) {
            throw unknown(node.toStringAST(), invalid);
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            checkNames(node.getChild(i), invalid);
        }
    }

    /** A name without '#' is a property of the root, where it is not one of an element, an entry of a map or the result of a call. */
    private void checkRoot(SpelNode node, BiFunction<String, String, InvalidRequestException> invalid) {
        if (node instanceof PropertyOrFieldReference property && !ROOT_PROPERTIES.contains(property.getName())) {
            String name = property.getName();
            throw invalid.apply(
                    "'" + name + "' is neither an argument, which begins with '#', nor one of " + ROOT_PROPERTIES,
                    remedyFor(name, name));
        }
        if (hasOtherNames(node)) {
            return;
        }
        for (int i = 0; i < node.getChildCount(); i++) {
            SpelNode child = node.getChild(i);
            boolean isOfPrevious =
                    i > 0 && node instanceof CompoundExpression && child instanceof PropertyOrFieldReference;
            if (!isOfPrevious) {
                checkRoot(child, invalid);
            }
        }
    }

    private static boolean hasOtherNames(SpelNode node) {
        return node instanceof Projection
                || node instanceof Selection
                || node instanceof Indexer
                || node instanceof InlineMap;
    }

    /** Whether an argument has this name in the source. */
    boolean isArgument(String name) {
        return inSource != null && inSource.contains(name);
    }

    /** What to write in place of a text that may be meant for an argument, or for a property of one. */
    String remedyFor(String wanted, CharSequence text) {
        String quoted = "#{'" + text.toString().replace("'", "''") + "'} for the text.";
        boolean isKnown = isKnown(wanted.split("\\.", 2)[0]);
        return count == 0 && !isKnown
                ? "Write " + quoted
                : "Write " + (isKnown ? "#{#" + wanted + "}" : first()) + " for the argument, or " + quoted;
    }

    private String first() {
        return inSource == null ? "#{#p0}" : "#{#" + inSource.get(0) + "}";
    }

    private boolean isKnown(String name) {
        return name.equals("root") || name.equals("this") || isArgument(name) || isNumbered(name);
    }

    private boolean isNumbered(String name) {
        return name.matches("[ap][0-9]{1,3}") && Integer.parseInt(name.substring(1)) < count;
    }

    private InvalidRequestException unknown(String name, BiFunction<String, String, InvalidRequestException> invalid) {
        String what = "the method has no argument " + name;
        if (count == 0) {
            return invalid.apply(what, "It has none at all. Write a fixed id.");
        }
        if (inSource == null) {
            return invalid.apply(
                    what + " that is known by its name, since its class was compiled without them",
                    "Compile with -parameters, or write #p0 for the first argument.");
        }
        List<String> names = new ArrayList<>();
        inSource.forEach(each -> names.add("#" + each));
        return invalid.apply(what, "Its arguments are: " + String.join(", ", names) + ".");
    }
}
