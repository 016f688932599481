package dev.lockstep.examples;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.AssignmentTree;
import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ImportTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.ParameterizedTypeTree;
import com.sun.source.tree.Tree;
import dev.lockstep.examples.TestSources.TestMethod;
import dev.lockstep.examples.TestSources.TestType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;

/** Reads the classes and methods of one file. */
final class TestSourceReader {
    /** What makes a method a test, by simple name. */
    private static final Map<String, String> TESTS = Map.of(
            "Test", "org.junit.jupiter.api",
            "RepeatedTest", "org.junit.jupiter.api",
            "TestFactory", "org.junit.jupiter.api",
            "TestTemplate", "org.junit.jupiter.api",
            "ParameterizedTest", "org.junit.jupiter.params",
            "Property", "net.jqwik.api",
            "Example", "net.jqwik.api");

    /** Which classes surefire runs, unless configured otherwise. */
    private static final String RUN_BY_SUREFIRE = "Test\\w*|\\w*(Test|Tests|TestCase)";

    private final Path file;
    private final String inPackage;
    private final Map<String, String> imported;
    private final Set<String> importedWhole;
    private final List<TestType> types = new ArrayList<>();
    private final CompilationUnitTree unit;

    TestSourceReader(CompilationUnitTree unit) {
        this.unit = unit;
        file = Path.of(unit.getSourceFile().toUri());
        inPackage = unit.getPackageName() == null ? "" : unit.getPackageName() + ".";
        List<String> imports = unit.getImports().stream()
                .filter(each -> !each.isStatic())
                .map(ImportTree::getQualifiedIdentifier)
                .map(Tree::toString)
                .toList();
        imported = imports.stream()
                .filter(name -> !name.endsWith(".*"))
                .collect(Collectors.toMap(TestSourceReader::last, name -> name, (one, other) -> one));
        importedWhole = imports.stream()
                .filter(name -> name.endsWith(".*"))
                .map(name -> name.substring(0, name.length() - 2))
                .collect(Collectors.toSet());
    }

    private static String last(String name) {
        return name.substring(name.lastIndexOf('.') + 1);
    }

    List<TestType> read() {
        boolean testFile = file.toString().contains("/src/test/");
        for (Tree declared : unit.getTypeDecls()) {
            if (declared instanceof ClassTree type) {
                read(
                        type,
                        inPackage,
                        testFile && last(type.getSimpleName().toString()).matches(RUN_BY_SUREFIRE));
            }
        }
        return types;
    }

    private void read(ClassTree type, String around, boolean mayRun) {
        String name = around + type.getSimpleName();
        boolean disabled = has(type.getModifiers(), "Disabled");
        boolean runs = mayRun
                && !disabled
                && type.getKind() == Tree.Kind.CLASS
                && !type.getModifiers().getFlags().contains(Modifier.ABSTRACT);
        List<TestMethod> methods = new ArrayList<>();
        for (Tree member : type.getMembers()) {
            if (member instanceof MethodTree method) {
                methods.add(read(method, disabled));
            } else if (member instanceof ClassTree inner) {
                read(
                        inner,
                        name + ".",
                        runs && (has(inner.getModifiers(), "Nested") || has(inner.getModifiers(), "Group")));
            }
        }
        types.add(new TestType(file, name, above(type, name), label(type.getModifiers()), runs, methods));
    }

    private List<String> above(ClassTree type, String name) {
        return Stream.concat(Stream.ofNullable(type.getExtendsClause()), type.getImplementsClause().stream())
                .map(each -> resolve(each, name))
                .toList();
    }

    /** A name as Java finds it: imported, inside this class, or in this package. */
    private String resolve(Tree written, String name) {
        Tree plain = written instanceof ParameterizedTypeTree generic ? generic.getType() : written;
        String text = plain.toString();
        String first = text.contains(".") ? text.substring(0, text.indexOf('.')) : text;
        String rest = text.substring(first.length());
        if (imported.containsKey(first)) {
            return imported.get(first) + rest;
        }
        boolean inside = unit.getTypeDecls().stream()
                .filter(ClassTree.class::isInstance)
                .map(ClassTree.class::cast)
                .flatMap(each -> each.getMembers().stream())
                .anyMatch(each ->
                        each instanceof ClassTree inner && inner.getSimpleName().contentEquals(first));
        return inside
                ? inPackage + name.substring(inPackage.length()).split("\\.", 2)[0] + "." + text
                : inPackage + text;
    }

    private TestMethod read(MethodTree method, boolean disabled) {
        ModifiersTree modifiers = method.getModifiers();
        boolean test = modifiers.getAnnotations().stream().anyMatch(this::isTest);
        return new TestMethod(
                method.getName().toString(),
                test && !disabled && !has(modifiers, "Disabled"),
                has(modifiers, "Tag") || has(modifiers, "Tags"),
                label(modifiers),
                rows(modifiers));
    }

    private boolean isTest(AnnotationTree annotation) {
        String name = annotation.getAnnotationType().toString();
        String from = TESTS.get(last(name));
        return from != null
                && (name.equals(from + "." + last(name))
                        || (from + "." + name).equals(imported.get(name))
                        || importedWhole.contains(from));
    }

    private static boolean has(ModifiersTree modifiers, String annotation) {
        return find(modifiers, annotation).isPresent();
    }

    private static Optional<AnnotationTree> find(ModifiersTree modifiers, String annotation) {
        return modifiers.getAnnotations().stream()
                .map(AnnotationTree.class::cast)
                .filter(each -> last(each.getAnnotationType().toString()).equals(annotation))
                .findFirst();
    }

    private static Optional<String> label(ModifiersTree modifiers) {
        return find(modifiers, "DisplayName")
                .or(() -> find(modifiers, "Label"))
                .flatMap(annotation -> texts(annotation, "value").stream().findFirst());
    }

    private static List<String> rows(ModifiersTree modifiers) {
        List<String> rows = new ArrayList<>();
        find(modifiers, "ValueSource").ifPresent(values -> rows.addAll(texts(values, "strings")));
        find(modifiers, "CsvSource")
                .ifPresent(values -> Stream.concat(
                                texts(values, "value").stream(),
                                texts(values, "textBlock").stream().flatMap(String::lines))
                        .map(row -> row.split("[,|]", 2)[0].strip())
                        .forEach(rows::add));
        return rows;
    }

    /** The texts of an annotation's element; what is not written as text is left out. */
    private static List<String> texts(AnnotationTree annotation, String element) {
        return annotation.getArguments().stream()
                .filter(argument -> argument instanceof AssignmentTree set
                        ? set.getVariable().toString().equals(element)
                        : element.equals("value"))
                .map(argument -> argument instanceof AssignmentTree set ? set.getExpression() : argument)
                .flatMap(value ->
                        value instanceof NewArrayTree array ? array.getInitializers().stream() : Stream.of(value))
                .flatMap(value -> text(value).stream())
                .toList();
    }

    private static Optional<String> text(ExpressionTree value) {
        if (value instanceof LiteralTree literal && literal.getValue() instanceof String text) {
            return Optional.of(text);
        }
        if (value instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
            return text(sum.getLeftOperand())
                    .flatMap(left -> text(sum.getRightOperand()).map(left::concat));
        }
        return Optional.empty();
    }
}
