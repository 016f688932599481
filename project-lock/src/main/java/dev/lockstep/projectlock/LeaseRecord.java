package dev.lockstep.projectlock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What the file {@code .lock} says: exactly these two fields. */
record LeaseRecord(UUID leaseId, long expiresAt) {
    private static final Set<String> FIELDS = Set.of("leaseId", "expiresAt");
    private static final Pattern ID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    /** The record in a text; empty when it is anything but the two fields. */
    static Optional<LeaseRecord> parse(String text) {
        return FlatJson.parse(text)
                .filter(fields -> fields.keySet().equals(FIELDS))
                .flatMap(LeaseRecord::of);
    }

    private static Optional<LeaseRecord> of(Map<String, Object> fields) {
        return fields.get("expiresAt") instanceof Long expiresAt && expiresAt >= 0
                ? idIn(fields.get("leaseId")).map(id -> new LeaseRecord(id, expiresAt))
                : Optional.empty();
    }

    /** The id in a field; the JDK's own parser accepts far more than UUIDs. */
    static Optional<UUID> idIn(@Nullable Object field) {
        return field instanceof String text && ID.matcher(text).matches()
                ? Optional.of(UUID.fromString(text))
                : Optional.empty();
    }

    String text() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("leaseId", leaseId.toString());
        fields.put("expiresAt", expiresAt);
        return FlatJson.format(fields);
    }
}
