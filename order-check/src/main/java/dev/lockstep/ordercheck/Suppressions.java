package dev.lockstep.ordercheck;

import java.util.List;
import javax.lang.model.element.AnnotationMirror;
import javax.lang.model.element.AnnotationValue;
import javax.lang.model.element.Element;
import org.jspecify.annotations.Nullable;

/** {@code @SuppressWarnings("lockstep:order")}. */
final class Suppressions {
    static final String NAME = "lockstep:order";

    private Suppressions() {}

    /** Whether the element itself is annotated so. */
    static boolean isSuppressed(@Nullable Element element) {
        AnnotationMirror annotation =
                element == null ? null : KindReader.annotation(element, "java.lang.SuppressWarnings");
        return annotation != null
                && KindReader.value(annotation, "value") instanceof List<?> names
                && names.stream()
                        .anyMatch(each -> each instanceof AnnotationValue name && NAME.equals(name.getValue()));
    }

    /** Whether the element, or one that contains it, is annotated so. */
    static boolean isSuppressedAround(@Nullable Element element) {
        for (Element each = element; each != null; each = each.getEnclosingElement()) {
            if (isSuppressed(each)) {
                return true;
            }
        }
        return false;
    }
}
