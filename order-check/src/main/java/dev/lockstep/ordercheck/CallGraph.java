package dev.lockstep.ordercheck;

import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.lang.model.element.ExecutableElement;
import javax.lang.model.element.Modifier;

/** Which methods a call surely means. */
final class CallGraph {
    private CallGraph() {}

    /** Whether no other method can override this one. */
    static boolean isFixed(ExecutableElement method) {
        Element type = SourceTypes.ownerOf(method);
        return method.getKind() == ElementKind.CONSTRUCTOR
                || method.getModifiers().contains(Modifier.PRIVATE)
                || method.getModifiers().contains(Modifier.STATIC)
                || method.getModifiers().contains(Modifier.FINAL)
                || type.getModifiers().contains(Modifier.FINAL)
                || type.getKind() == ElementKind.RECORD;
    }
}
