package dev.lockstep.spring.locked;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ObjectUtils;

/** The ids that the value of an expression stands for: one, or one for each element of a collection or an array. */
final class IdValues {
    private IdValues() {}

    static List<String> of(@Nullable Object value, IdPart.Evaluated part) {
        if (value instanceof Map) {
            throw part.invalid("is a map, which is no id", "Name what to lock in it, such as #{#map.keySet()}.");
        }
        if (value instanceof byte[]) {
            throw part.invalid("is an array of bytes, which is no id", "Make a text of it first.");
        }
        if (value instanceof Collection<?> elements) {
            return ofEach(elements, part);
        }
        if (value != null && value.getClass().isArray()) {
            return ofEach(Arrays.asList(ObjectUtils.toObjectArray(value)), part);
        }
        return List.of(one(value, part));
    }

    private static List<String> ofEach(Collection<?> elements, IdPart.Evaluated part) {
        if (elements.isEmpty()) {
            throw part.invalid(
                    "is empty, so it names nothing to lock",
                    "Call the method with at least one element, or return before it.");
        }
        List<String> ids = new ArrayList<>(elements.size());
        for (Object element : elements) {
            ids.add(one(element, part));
        }
        return ids;
    }

    private static String one(@Nullable Object value, IdPart.Evaluated part) {
        Object id = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (id == null) {
            throw part.invalid("is null, or has an element that is", "An id must not be null.");
        }
        String text = id instanceof Enum<?> constant ? constant.name() : id.toString();
        if (text.isEmpty()) {
            throw part.invalid("is an empty text, or has an element that is", "An id must not be empty.");
        }
        if (text.equals(ObjectUtils.identityToString(id)) || id.getClass().isArray() || id instanceof Collection) {
            throw part.invalid(
                    "is a " + id.getClass().getName() + ", whose text names no id",
                    "Name its id, such as #{#order.id}.");
        }
        return text;
    }
}
