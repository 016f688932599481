package dev.lockstep.spring.locked;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.expression.EvaluationContext;

/**
 * A key with expressions in it, such as {@code user:#{#u}/account:#{#a}}. Its shape is fixed when the application starts; a call
 * only fills in ids, so no value can lead to a key of another shape.
 *
 * @param where the method and the template, for messages
 */
record KeyTemplate(String where, List<Level> levels) {
    /** More than any request may name by default; a product of collections stops here, before it fills the memory. */
    private static final int MOST_KEYS = 10_000;

    /** One {@code kind:id} of the path. */
    record Level(LockKind kind, List<IdPart> parts) {}

    /** The keys of one call: one, or the product of the collections in it. */
    List<LockKey> keys(EvaluationContext call) {
        List<LockKey> keys = new ArrayList<>();
        for (Level level : levels) {
            keys = below(keys, level.kind(), ids(level, call));
        }
        return keys;
    }

    private List<LockKey> below(List<LockKey> parents, LockKind kind, List<String> ids) {
        if (parents.isEmpty()) {
            return ids.stream().map(kind::key).toList();
        }
        requireFew((long) parents.size() * ids.size());
        return parents.stream()
                .flatMap(parent -> ids.stream().map(id -> parent.child(kind, id)))
                .toList();
    }

    private List<String> ids(Level level, EvaluationContext call) {
        @Nullable List<String> ids = null;
        for (IdPart part : level.parts()) {
            List<String> values = part.values(call);
            ids = ids == null ? values : joined(ids, values);
        }
        return ids == null ? List.of() : ids;
    }

    private List<String> joined(List<String> beginnings, List<String> ends) {
        requireFew((long) beginnings.size() * ends.size());
        return beginnings.stream()
                .flatMap(beginning -> ends.stream().map(beginning::concat))
                .toList();
    }

    private void requireFew(long keys) {
        if (keys > MOST_KEYS) {
            throw new InvalidRequestException(where + ": the collections in it stand for " + keys + " keys, and "
                    + MOST_KEYS + " are the most. Lock what contains them.");
        }
    }
}
