package dev.lockstep.spring.locked;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.ParserContext;
import org.springframework.expression.common.CompositeStringExpression;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/** Reads one template. The path {@code kind:id/kind:id} is found in the fixed text alone; expressions and properties are ids or parts of ids. */
final class KeyTemplateParser {
    private static final SpelExpressionParser EXPRESSIONS = new SpelExpressionParser();

    /** Characters of the placeholders that other annotations and frameworks have, and of an expression that is not closed. */
    private static final Pattern PLACEHOLDER = Pattern.compile("[#${}]");

    private static final Pattern NAME = Pattern.compile("[#${]+([\\p{L}_][\\p{L}\\p{N}_.]*)");

    private static final Pattern PROPERTY = Pattern.compile("\\$\\{([\\p{L}_][\\p{L}\\p{N}_.]*)");

    private final Kinds kinds;
    private final UnaryOperator<String> properties;
    private final ArgumentNames arguments;
    private final String where;

    private final List<KeyTemplate.Level> levels = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private @Nullable LockKind kind;
    private List<IdPart> parts = new ArrayList<>();

    KeyTemplateParser(Kinds kinds, UnaryOperator<String> properties, ArgumentNames arguments, String where) {
        this.kinds = kinds;
        this.properties = properties;
        this.arguments = arguments;
        this.where = where;
    }

    KeyTemplate parse(String template) {
        for (Expression piece : pieces(template)) {
            if (piece instanceof SpelExpression expression) {
                arguments.check(expression, this::invalid);
                addToId(new IdPart.Evaluated(expression, where));
            } else {
                readFixed(piece.getExpressionString());
            }
        }
        endLevel();
        return new KeyTemplate(where, List.copyOf(levels));
    }

    private List<Expression> pieces(String template) {
        if (template.isBlank()) {
            throw invalid("the key is empty", "Write one such as 'user:#{#userId}'.");
        }
        try {
            Expression whole = EXPRESSIONS.parseExpression(template, ParserContext.TEMPLATE_EXPRESSION);
            return whole instanceof CompositeStringExpression several
                    ? List.of(several.getExpressions())
                    : List.of(whole);
        } catch (ParseException e) {
            throw invalid(
                    "an expression can't be read: " + e.getSimpleMessage(),
                    "Write expressions such as #{#userId}, each closed by '}'.");
        }
    }

    private void readFixed(String fixed) {
        int at = 0;
        while (at < fixed.length()) {
            char c = fixed.charAt(at);
            if (fixed.startsWith("${", at)) {
                int end = endOfProperty(fixed, at);
                addToId(new IdPart.Fixed(property(fixed.substring(at, end))));
                at = end;
                continue;
            }
            if (c == '/') {
                endLevel();
            } else if (c == ':') {
                readKind();
            } else {
                text.append(c);
            }
            at++;
        }
    }

    private int endOfProperty(String fixed, int start) {
        int depth = 0;
        for (int at = start; at < fixed.length(); at++) {
            char c = fixed.charAt(at);
            depth += c == '{' ? 1 : c == '}' ? -1 : 0;
            if (c == '}' && depth == 0) {
                return at + 1;
            }
        }
        throw invalid("the property in '" + fixed + "' has no end", "Write it as ${name}.");
    }

    private String property(String placeholder) {
        Matcher name = PROPERTY.matcher(placeholder);
        while (name.find()) {
            if (arguments.isArgument(name.group(1))) {
                throw invalid(
                        placeholder
                                + " is a property, the same for every call, and the method has an argument of that name",
                        "Write #{#" + name.group(1) + "} for the argument, or rename one of them.");
            }
        }
        String value;
        try {
            value = properties.apply(placeholder);
        } catch (IllegalArgumentException e) {
            throw invalid(
                    "the property " + placeholder + " is not set", "Set it, or write a default as ${name:default}.");
        }
        if (value.isEmpty()) {
            throw invalid("the property " + placeholder + " is empty", "An id must not be empty.");
        }
        requireNoExpression(placeholder, value);
        return value;
    }

    /** Expressions in properties are not evaluated, so that one would be the same id for every call. */
    private void requireNoExpression(String placeholder, String value) {
        Matcher name = NAME.matcher(value);
        boolean isExpression = value.contains("#{");
        while (!isExpression && name.find()) {
            isExpression = arguments.isArgument(name.group(1).split("\\.", 2)[0]);
        }
        if (isExpression) {
            throw invalid(
                    "the property " + placeholder + " is '" + value
                            + "', which is fixed text here, the same for every call",
                    "Write the expression into the key, and a text into the property.");
        }
    }

    private void readKind() {
        if (kind != null) {
            throw invalid(
                    "there is a ':' in the id '" + text + "'",
                    "Write a '/' before the next kind, or #{'…'} around an id with special characters.");
        }
        String prefix = text.toString();
        text.setLength(0);
        kind = kinds.find(prefix).orElseThrow(() -> invalid("there is no kind '" + prefix + "'", known()));
        checkParent(kind);
    }

    private String known() {
        if (kinds.definitions().isEmpty()) {
            return "There are no kinds at all: declare them by lockstep.kinds-from, lockstep.kinds or a bean of type Kinds.";
        }
        return "Known are: "
                + kinds.definitions().stream().map(KindDefinition::prefix).collect(Collectors.joining(", ")) + ".";
    }

    private void checkParent(LockKind found) {
        String above =
                levels.isEmpty() ? "" : levels.get(levels.size() - 1).kind().prefix();
        String expected = found.parent().map(LockKind::prefix).orElse("");
        if (!above.equals(expected)) {
            throw invalid(
                    "'" + found.prefix() + "' stands " + (above.isEmpty() ? "at the top" : "below '" + above + "'"),
                    "Write '" + path(found) + "'.");
        }
    }

    private static String path(LockKind kind) {
        return kind.parent().map(parent -> path(parent) + "/").orElse("") + kind.prefix() + ":…";
    }

    private void addToId(IdPart part) {
        if (kind == null) {
            throw invalid(
                    "an expression or a property stands where a kind must be written out",
                    "Write 'kind:id' with the kind as it is, such as 'user:#{#userId}'.");
        }
        endText();
        parts.add(part);
    }

    private void endText() {
        if (text.isEmpty()) {
            return;
        }
        if (text.indexOf("%") >= 0) {
            throw invalid(
                    "there is a '%' in the id '" + text + "'", "Write #{'…'} around an id with special characters.");
        }
        if (PLACEHOLDER.matcher(text).find()) {
            throw invalid(
                    "'" + text + "' is fixed text here, the same for every call",
                    arguments.remedyFor(nameIn(text), text));
        }
        parts.add(new IdPart.Fixed(text.toString()));
        text.setLength(0);
    }

    private static String nameIn(CharSequence text) {
        Matcher name = NAME.matcher(text);
        return name.find() ? name.group(1) : "";
    }

    private void endLevel() {
        if (kind == null) {
            throw invalid("'" + text + "' has no kind", "Write 'kind:id', such as 'user:#{#userId}'.");
        }
        endText();
        if (parts.isEmpty()) {
            throw invalid("'" + kind.prefix() + ":' has no id", "Write one, such as '" + kind.prefix() + ":#{#id}'.");
        }
        levels.add(new KeyTemplate.Level(kind, List.copyOf(parts)));
        kind = null;
        parts = new ArrayList<>();
    }

    private InvalidRequestException invalid(String what, String instead) {
        return new InvalidRequestException(where + ": " + what + ". " + instead);
    }
}
