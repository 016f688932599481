package dev.lockstep.spring.locked;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.expression.EvaluationContext;

/**
 * What is locked around one method of a bean, and how.
 *
 * @param where the method, for messages
 * @param answersFuture whether it returns a future, so that the locks are held until that has completed
 */
record LockedMethod(Method method, String where, Keys keys, Options options, boolean answersFuture) {
    /** The keys to take, in both modes. */
    record Keys(List<KeyTemplate> exclusive, List<KeyTemplate> shared) {}

    /** What the annotation says beside the keys. */
    record Options(
            @Nullable Duration within,
            @Nullable Duration atMost,
            @Nullable Duration atLeast,
            IfNotAcquired ifNotAcquired,
            String owner) {}

    /** What {@code #root} is in an expression. */
    record CallRoot(Object target, String methodName, List<@Nullable Object> args) {}

    /** What to ask for in this call. Throws before anything is locked when an id is missing. */
    LockRequest request(Object target, @Nullable Object[] arguments) {
        EvaluationContext call = new MethodBasedEvaluationContext(
                new CallRoot(target, method.getName(), Arrays.asList(arguments)),
                method,
                arguments,
                ArgumentNames.DISCOVERER);
        LockKey[] exclusive = filled(keys.exclusive, call);
        LockKey[] shared = filled(keys.shared, call);
        if (exclusive.length == 0) {
            return withOptions(LockRequest.shared(shared));
        }
        LockRequest request = LockRequest.exclusive(exclusive);
        return withOptions(shared.length == 0 ? request : request.andShared(shared));
    }

    private static LockKey[] filled(List<KeyTemplate> templates, EvaluationContext call) {
        List<LockKey> keys = new ArrayList<>();
        for (KeyTemplate template : templates) {
            keys.addAll(template.keys(call));
        }
        return keys.toArray(LockKey[]::new);
    }

    private LockRequest withOptions(LockRequest keysOnly) {
        LockRequest request = keysOnly.as(options.owner);
        if (options.within != null) {
            request = options.within.isZero() ? request.withoutWaiting() : request.within(options.within);
        }
        return options.atMost == null ? request : request.atMost(options.atMost);
    }
}
