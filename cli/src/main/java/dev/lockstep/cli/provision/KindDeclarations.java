package dev.lockstep.cli.provision;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKind;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kinds that the command line declares, in any order. */
public final class KindDeclarations {
    private record DeclaredKind(String prefix, int rank, Optional<LockKind> parent, boolean leaf) implements LockKind {}

    private final Map<String, KindDeclaration> texts = new LinkedHashMap<>();
    private final Map<String, LockKind> kinds = new LinkedHashMap<>();

    private KindDeclarations(List<String> declarations) {
        for (String declaration : declarations) {
            KindDeclaration text = KindDeclaration.parse(declaration);
            if (texts.put(text.name(), text) != null) {
                throw new InvalidRequestException(
                        "The kind '" + text.name() + "' is declared twice. Leave one --kind out.");
            }
        }
    }

    /** Reads declarations such as {@code user:0} and {@code account:1:user}. */
    public static LockKind[] of(List<String> declarations) {
        KindDeclarations declared = new KindDeclarations(declarations);
        return declared.texts.values().stream()
                .map(text -> declared.kind(text, 0))
                .toArray(LockKind[]::new);
    }

    private LockKind kind(KindDeclaration text, int below) {
        @Nullable LockKind known = kinds.get(text.name());
        if (known != null) {
            return known;
        }
        if (below > texts.size()) {
            throw new InvalidRequestException(
                    "The kind '" + text.name() + "' is its own ancestor. Give the topmost kind no parent.");
        }
        LockKind made = new DeclaredKind(
                text.name(),
                text.rank(),
                text.parent().map(name -> kind(parentOf(text, name), below + 1)),
                text.leaf());
        kinds.put(text.name(), made);
        return made;
    }

    private KindDeclaration parentOf(KindDeclaration text, String name) {
        @Nullable KindDeclaration parent = texts.get(name);
        if (parent == null) {
            throw new InvalidRequestException("The kind '" + text.name() + "' has the parent '" + name
                    + "', which is not declared. Add --kind " + name + ":RANK, with a rank below " + text.rank() + ".");
        }
        return parent;
    }
}
