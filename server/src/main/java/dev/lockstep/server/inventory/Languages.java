package dev.lockstep.server.inventory;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The languages that the inventory's texts are in. */
final class Languages {
    private static final List<Locale> ALL = List.of(Locale.ENGLISH, Locale.JAPANESE, Locale.KOREAN);

    private Languages() {}

    /** The one that a client likes best, by its header Accept-Language; English if it likes none, or writes nonsense. */
    static Locale best(@Nullable String header) {
        if (header == null || header.isBlank()) {
            return Locale.ENGLISH;
        }
        try {
            @Nullable Locale found = Locale.lookup(Locale.LanguageRange.parse(header), ALL);
            return found == null ? Locale.ENGLISH : found;
        } catch (IllegalArgumentException e) {
            return Locale.ENGLISH;
        }
    }
}
