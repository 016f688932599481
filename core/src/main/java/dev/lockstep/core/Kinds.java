package dev.lockstep.core;

import dev.lockstep.core.internal.KeyText;
import dev.lockstep.core.spi.KindRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A fixed set of kinds, checked as a whole, that keys in text form are read with. */
public final class Kinds {
    private final KindRegistry registry = new KindRegistry();
    private final Map<String, LockKind> byPrefix = new LinkedHashMap<>();

    private Kinds(LockKind... kinds) {
        for (LockKind kind : kinds) {
            registry.declare(KindDefinition.chain(kind));
            for (@Nullable LockKind each = kind;
                    each != null;
                    each = each.parent().orElse(null)) {
                byPrefix.putIfAbsent(each.prefix(), each);
            }
        }
    }

    /** These kinds and their parents, for example {@code Kinds.of(Tenancy.values())}. */
    public static Kinds of(LockKind... kinds) {
        return new Kinds(kinds);
    }

    /** The kind with this prefix. */
    public Optional<LockKind> find(String prefix) {
        return Optional.ofNullable(byPrefix.get(prefix));
    }

    /** What the kinds say about themselves. */
    public List<KindDefinition> definitions() {
        return registry.definitions();
    }

    /** Reads {@code user:u1/account:a1} or, for a kind without a parent, {@code 02:equipment:B}. */
    public LockKey parse(String text) {
        return KeyText.parse(text, this);
    }
}
