package dev.lockstep.server.events;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An event as the API's document has it. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Event(
        String id,
        Instant at,
        String type,
        String about,
        String text,
        @Nullable String leaseName,
        @Nullable String owner,
        @Nullable List<String> keys,
        @Nullable Long waitedMs,
        @Nullable Long heldMs,
        @Nullable String sku,
        @Nullable String location,
        @Nullable String outcome,
        @Nullable Long count,
        @Nullable Long missed) {}
