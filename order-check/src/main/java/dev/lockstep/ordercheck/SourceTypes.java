package dev.lockstep.ordercheck;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.TypeCastTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePath;
import com.sun.source.util.Trees;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeKind;
import javax.lang.model.type.TypeMirror;
import javax.lang.model.util.Elements;
import javax.lang.model.util.Types;
import org.jspecify.annotations.Nullable;

/** What the compiler knows of names: which element a tree means, and which types are types of core. */
final class SourceTypes {
    static final String CORE = "dev.lockstep.core.";
    private static final Set<String> OF_CORE =
            Set.of("Locks", "Lease", "LockRequest", "LockKey", "LockKind", "NamedKind", "Granted", "Attempt");

    private final Trees trees;
    private final Elements elements;
    private final Types types;
    private final Map<TypeElement, String> roles = new HashMap<>();

    SourceTypes(JavacTask task) {
        trees = Trees.instance(task);
        elements = task.getElements();
        types = task.getTypes();
    }

    Trees trees() {
        return trees;
    }

    Elements elements() {
        return elements;
    }

    @Nullable
    Element element(CompilationUnitTree unit, Tree tree) {
        return trees.getElement(new TreePath(new TreePath(unit), tree));
    }

    @Nullable
    TypeMirror type(CompilationUnitTree unit, Tree tree) {
        return trees.getTypeMirror(new TreePath(new TreePath(unit), tree));
    }

    /** The simple name of the type of core that this is or extends; empty for others. */
    String role(@Nullable Element type) {
        if (!(type instanceof TypeElement found)) {
            return "";
        }
        String known = roles.get(found);
        if (known == null) {
            roles.put(found, ""); // a type may extend one that mentions it
            known = findRole(found);
            roles.put(found, known);
        }
        return known;
    }

    String role(@Nullable TypeMirror type) {
        return type != null && type.getKind() == TypeKind.DECLARED ? role(((DeclaredType) type).asElement()) : "";
    }

    private String findRole(TypeElement type) {
        String name = type.getQualifiedName().toString();
        if (name.startsWith("java.")) {
            return "";
        }
        if (name.startsWith(CORE) && OF_CORE.contains(name.substring(CORE.length()))) {
            return name.substring(CORE.length());
        }
        for (TypeMirror above : types.directSupertypes(type.asType())) {
            String role = role(above);
            if (!role.isEmpty()) {
                return role;
            }
        }
        return "";
    }

    boolean isKindType(@Nullable TypeMirror type) {
        String role = role(type);
        return role.equals("LockKind") || role.equals("NamedKind");
    }

    boolean overrides(ExecutableElement method, ExecutableElement other, TypeElement in) {
        return elements.overrides(method, other, in);
    }

    List<? extends TypeMirror> supertypes(TypeElement type) {
        return types.directSupertypes(type.asType());
    }

    static ExpressionTree plain(ExpressionTree tree) {
        ExpressionTree each = tree;
        while (true) {
            if (each instanceof ParenthesizedTree parens) {
                each = parens.getExpression();
            } else if (each instanceof TypeCastTree cast) {
                each = cast.getExpression();
            } else {
                return each;
            }
        }
    }

    /** What contains a member. */
    static Element ownerOf(Element member) {
        return Objects.requireNonNull(member.getEnclosingElement(), "a member is in a type");
    }

    static @Nullable TypeElement topLevel(@Nullable Element element) {
        for (Element each = element; each != null; each = each.getEnclosingElement()) {
            Element outer = each.getEnclosingElement();
            if (outer == null || outer.getKind() == ElementKind.PACKAGE) {
                return each instanceof TypeElement type ? type : null;
            }
        }
        return null;
    }
}
