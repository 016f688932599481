package dev.lockstep.projectlock;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Lease ids as text. */
final class Ids {
    private static final Pattern FORM =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private Ids() {}

    /** The id in a field; the JDK's own parser takes far more than UUIDs. */
    static Optional<UUID> parse(@Nullable Object field) {
        return field instanceof String text && FORM.matcher(text).matches()
                ? Optional.of(UUID.fromString(text))
                : Optional.empty();
    }
}
