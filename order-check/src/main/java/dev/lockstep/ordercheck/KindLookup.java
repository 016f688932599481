package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import javax.lang.model.element.Element;
import javax.lang.model.element.TypeElement;
import org.jspecify.annotations.Nullable;

/** Finds kinds by their prefixes: among those of the option {@code kinds}, or those that the class mentions and those that are declared beside them. */
final class KindLookup {
    private final SourceTypes types;
    private final Function<Element, @Nullable KnownKind> kinds;
    private final List<String> declared;
    private final Set<TypeElement> mentioned;

    KindLookup(
            SourceTypes types,
            Function<Element, @Nullable KnownKind> kinds,
            List<String> declared,
            Set<TypeElement> mentioned) {
        this.types = types;
        this.kinds = kinds;
        this.declared = declared;
        this.mentioned = mentioned;
    }

    /** Whether all kinds are known, so that others are mistakes. */
    boolean isComplete() {
        return !declared.isEmpty();
    }

    @Nullable
    KnownKind find(String prefix, List<HeldModel> held) {
        for (TypeElement type : places(held)) {
            for (Element each : type.getEnclosedElements()) {
                KnownKind kind = KindReader.isConstant(each) ? kinds.apply(each) : null;
                if (kind != null && kind.prefix().equals(prefix)) {
                    return kind;
                }
            }
        }
        return null;
    }

    /** What is known, for a message. */
    List<String> prefixes() {
        List<String> found = new ArrayList<>();
        for (TypeElement type : places(List.of())) {
            for (Element each : type.getEnclosedElements()) {
                KnownKind kind = KindReader.isConstant(each) ? kinds.apply(each) : null;
                if (kind != null) {
                    found.add(kind.prefix());
                }
            }
        }
        return found;
    }

    private Set<TypeElement> places(List<HeldModel> held) {
        Set<TypeElement> places = new LinkedHashSet<>();
        declared.forEach(name -> add(name, places));
        if (places.isEmpty()) {
            for (HeldModel lease : held) {
                for (LockModel lock : lease.locks()) {
                    KnownKind kind = lock.kind();
                    if (kind != null && !kind.declaredIn().isEmpty()) {
                        add(kind.declaredIn(), places);
                    }
                }
            }
            places.addAll(mentioned);
        }
        return places;
    }

    private void add(String name, Set<TypeElement> places) {
        TypeElement type = types.elements().getTypeElement(name);
        if (type != null) {
            places.add(type);
        }
    }
}
