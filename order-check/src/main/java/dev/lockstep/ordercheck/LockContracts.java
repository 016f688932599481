package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import javax.lang.model.type.DeclaredType;
import javax.lang.model.type.TypeMirror;
import org.jspecify.annotations.Nullable;

/** What annotations say of methods: {@code @Takes}, {@code @Holds}, and the starter's {@code @Locked}. */
final class LockContracts {
    static final String TAKES = SourceTypes.CORE + "Takes";
    static final String HOLDS = SourceTypes.CORE + "Holds";
    static final String LOCKED = "dev.lockstep.spring.Locked";
    private static final Set<String> ALL = Set.of(TAKES, HOLDS, LOCKED);

    /**
     * A method's contract.
     *
     * @param takes the kinds that it acquires and releases, by prefix; null without the annotation
     * @param holds the kinds that its caller must hold
     * @param locked the keys that are held around it, exclusively
     * @param lockedShared those that are held shared
     */
    record Contract(@Nullable List<String> takes, List<String> holds, List<String> locked, List<String> lockedShared) {
        static final Contract NONE = new Contract(null, List.of(), List.of(), List.of());

        boolean isLocked() {
            return !locked.isEmpty() || !lockedShared.isEmpty();
        }
    }

    private final SourceTypes types;
    private final Map<ExecutableElement, Contract> known = new HashMap<>();
    private final Map<TypeElement, List<ExecutableElement>> annotatedMethods = new HashMap<>();

    LockContracts(SourceTypes types) {
        this.types = types;
    }

    Contract of(ExecutableElement method) {
        return known.computeIfAbsent(method, this::read);
    }

    /** Whether the method itself, or its class, has one of the annotations. */
    static boolean isAnnotated(ExecutableElement method) {
        return hasAny(method) || KindReader.annotation(SourceTypes.ownerOf(method), LOCKED) != null;
    }

    private static boolean hasAny(Element element) {
        for (AnnotationMirror each : element.getAnnotationMirrors()) {
            if (each.getAnnotationType().asElement() instanceof TypeElement type
                    && ALL.contains(type.getQualifiedName().toString())) {
                return true;
            }
        }
        return false;
    }

    private Contract read(ExecutableElement method) {
        AnnotationMirror locked = KindReader.annotation(method, LOCKED);
        if (locked == null && method.getModifiers().contains(Modifier.PUBLIC) && !isStatic(method)) {
            locked = KindReader.annotation(SourceTypes.ownerOf(method), LOCKED);
        }
        AnnotationMirror takes = annotation(method, TAKES);
        AnnotationMirror holds = annotation(method, HOLDS);
        if (locked == null && takes == null && holds == null) {
            return Contract.NONE;
        }
        return new Contract(
                takes == null ? null : texts(takes, "value"),
                holds == null ? List.of() : texts(holds, "value"),
                locked == null ? List.of() : texts(locked, "value"),
                locked == null ? List.of() : texts(locked, "shared"));
    }

    private static boolean isStatic(ExecutableElement method) {
        return method.getModifiers().contains(Modifier.STATIC);
    }

    /** The method's annotation, or that of a method that it overrides. */
    private @Nullable AnnotationMirror annotation(ExecutableElement method, String name) {
        AnnotationMirror own = KindReader.annotation(method, name);
        if (own != null
                || isStatic(method)
                || method.getModifiers().contains(Modifier.PRIVATE)
                || !(method.getEnclosingElement() instanceof TypeElement type)) {
            return own;
        }
        return inherited(method, type, type, name);
    }

    private @Nullable AnnotationMirror inherited(
            ExecutableElement method, TypeElement type, TypeElement below, String name) {
        for (TypeMirror each : types.supertypes(below)) {
            if (!(each instanceof DeclaredType declared)
                    || !(declared.asElement() instanceof TypeElement above)
                    || above.getQualifiedName().toString().startsWith("java.")) {
                continue;
            }
            for (ExecutableElement candidate : annotatedMethods.computeIfAbsent(above, LockContracts::annotatedIn)) {
                AnnotationMirror found = KindReader.annotation(candidate, name);
                if (found != null
                        && candidate.getSimpleName().equals(method.getSimpleName())
                        && types.overrides(method, candidate, type)) {
                    return found;
                }
            }
            AnnotationMirror found = inherited(method, type, above, name);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static List<ExecutableElement> annotatedIn(TypeElement type) {
        List<ExecutableElement> found = new ArrayList<>();
        for (Element each : type.getEnclosedElements()) {
            if (each instanceof ExecutableElement method && hasAny(method)) {
                found.add(method);
            }
        }
        return found;
    }

    private static List<String> texts(AnnotationMirror annotation, String member) {
        List<String> texts = new ArrayList<>();
        if (KindReader.value(annotation, member) instanceof List<?> values) {
            for (Object each : values) {
                if (each instanceof AnnotationValue value && value.getValue() instanceof String text) {
                    texts.add(text);
                }
            }
        }
        return texts;
    }
}
