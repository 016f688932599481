package dev.lockstep.spring.locked;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What {@code #root} is in an expression. */
record CallRoot(Object target, String methodName, List<@Nullable Object> args) {
    static CallRoot of(Object target, String methodName, @Nullable Object[] args) {
        return new CallRoot(target, methodName, Arrays.asList(args));
    }
}
