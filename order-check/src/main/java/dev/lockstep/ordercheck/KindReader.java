package dev.lockstep.ordercheck;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/** Reads kinds from {@code @Ranked} on enum constants and static final fields, which class files keep. */
final class KindReader {
    private static final String RANKED = SourceTypes.CORE + "Ranked";

    private final SourceTypes types;
    private final Map<Element, Optional<KnownKind>> read = new HashMap<>();

    KindReader(SourceTypes types) {
        this.types = types;
    }

    /** The kind that an annotated constant is; null if it is none, or its annotation can't be right. */
    @Nullable
    KnownKind read(Element constant) {
        Optional<KnownKind> known = read.get(constant);
        if (known == null) {
            read.put(constant, Optional.empty()); // one that is its own ancestor is none
            known = Optional.ofNullable(find(constant));
            read.put(constant, known);
        }
        return known.orElse(null);
    }

    static boolean isConstant(Element element) {
        return element.getKind() == ElementKind.ENUM_CONSTANT
                || (element.getKind() == ElementKind.FIELD
                        && element.getModifiers().contains(Modifier.STATIC)
                        && element.getModifiers().contains(Modifier.FINAL));
    }

    private @Nullable KnownKind find(Element constant) {
        AnnotationMirror ranked = isConstant(constant) ? annotation(constant, RANKED) : null;
        if (ranked == null
                || !types.isKindType(constant.asType())
                || !(constant.getEnclosingElement() instanceof TypeElement type)
                || !(value(ranked, "value") instanceof Integer rank)) {
            return null;
        }
        String in = text(ranked, "in");
        KnownKind parent = in.isEmpty() ? null : parent(type, in);
        if (!in.isEmpty() && (parent == null || parent.rank() >= rank)) {
            return null;
        }
        String prefix = text(ranked, "prefix");
        String name = prefix.isEmpty()
                ? constant.getSimpleName().toString().toLowerCase(Locale.ROOT).replace('_', '-')
                : prefix;
        return new KnownKind(name, rank, parent, type.getQualifiedName().toString());
    }

    private @Nullable KnownKind parent(TypeElement type, String name) {
        for (Element each : type.getEnclosedElements()) {
            if (each.getSimpleName().contentEquals(name) && isConstant(each)) {
                return read(each);
            }
        }
        return null;
    }

    static @Nullable AnnotationMirror annotation(Element element, String name) {
        for (AnnotationMirror each : element.getAnnotationMirrors()) {
            if (each.getAnnotationType().asElement() instanceof TypeElement type
                    && type.getQualifiedName().contentEquals(name)) {
                return each;
            }
        }
        return null;
    }

    static @Nullable Object value(AnnotationMirror annotation, String member) {
        for (Map.Entry<? extends ExecutableElement, ? extends AnnotationValue> each :
                annotation.getElementValues().entrySet()) {
            if (each.getKey().getSimpleName().contentEquals(member)) {
                return each.getValue().getValue();
            }
        }
        return null;
    }

    private static String text(AnnotationMirror annotation, String member) {
        return value(annotation, member) instanceof String text ? text : "";
    }
}
