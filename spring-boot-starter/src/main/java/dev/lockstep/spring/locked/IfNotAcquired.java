package dev.lockstep.spring.locked;

import dev.lockstep.core.LockTimeoutException;
import dev.lockstep.spring.Locked;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ReflectionUtils;

/** What a call returns when its locks are not acquired in time. */
@FunctionalInterface
interface IfNotAcquired {
    @Nullable
    Object call(Object target, @Nullable Object[] arguments, LockTimeoutException timeout) throws Throwable;

    /** As the annotation says, or the reason why that can't be. */
    static IfNotAcquired of(Locked locked, Method method, Class<?> type, String where) {
        boolean skips = locked.ifBusy() == Locked.IfBusy.SKIP;
        if (!locked.fallback().isEmpty()) {
            if (skips) {
                throw LockedMethodReader.invalid(
                        where, "it has both ifBusy = SKIP and a fallback", "Leave one of them out.");
            }
            return fallback(locked.fallback(), method, type, where);
        }
        return skips
                ? skip(method.getReturnType(), where)
                : (target, arguments, timeout) -> {
                    throw timeout;
                };
    }

    private static IfNotAcquired skip(Class<?> returned, String where) {
        if (returned == Optional.class) {
            return (target, arguments, timeout) -> Optional.empty();
        }
        if (returned != void.class) {
            throw LockedMethodReader.invalid(
                    where,
                    "it returns a " + returned.getName() + ", and a call that is skipped has no result",
                    "Return nothing or an Optional, or name a fallback instead of ifBusy = SKIP.");
        }
        return (target, arguments, timeout) -> null;
    }

    private static IfNotAcquired fallback(String name, Method method, Class<?> type, String where) {
        Class<?>[] same = method.getParameterTypes();
        Class<?>[] withError = Arrays.copyOf(same, same.length + 1);
        withError[same.length] = LockTimeoutException.class;
        Method plain = ReflectionUtils.findMethod(type, name, same);
        Method found = plain != null ? plain : ReflectionUtils.findMethod(type, name, withError);
        if (found == null || found.equals(method) || !method.getReturnType().isAssignableFrom(found.getReturnType())) {
            throw LockedMethodReader.invalid(
                    where,
                    "its fallback '" + name + "' is missing or doesn't fit",
                    "Write " + method.getReturnType().getSimpleName() + " " + name
                            + " with the same parameters, and perhaps a LockTimeoutException after them.");
        }
        ReflectionUtils.makeAccessible(found);
        return (target, arguments, timeout) -> invoke(found, target, arguments, timeout);
    }

    private static @Nullable Object invoke(
            Method fallback, Object target, @Nullable Object[] arguments, LockTimeoutException timeout)
            throws Throwable {
        @Nullable Object[] all = Arrays.copyOf(arguments, fallback.getParameterCount());
        if (all.length > arguments.length) {
            all[arguments.length] = timeout;
        }
        try {
            return fallback.invoke(target, all);
        } catch (InvocationTargetException e) {
            throw e.getTargetException();
        }
    }
}
