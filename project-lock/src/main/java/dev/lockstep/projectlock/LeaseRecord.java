package dev.lockstep.projectlock;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** What the file {@code .lock} says: exactly these two fields. */
record LeaseRecord(UUID leaseId, long expiresAt) {
    private static final Set<String> FIELDS = Set.of("leaseId", "expiresAt");

    /** The record in a text; empty when it is anything but the two fields. */
    static Optional<LeaseRecord> parse(String text) {
        return FlatJson.parse(text)
                .filter(fields -> fields.keySet().equals(FIELDS))
                .flatMap(LeaseRecord::of);
    }

    private static Optional<LeaseRecord> of(Map<String, Object> fields) {
        return fields.get("expiresAt") instanceof Long expiresAt && expiresAt >= 0
                ? Ids.parse(fields.get("leaseId")).map(id -> new LeaseRecord(id, expiresAt))
                : Optional.empty();
    }

    String text() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("leaseId", leaseId.toString());
        fields.put("expiresAt", expiresAt);
        return FlatJson.format(fields);
    }
}
