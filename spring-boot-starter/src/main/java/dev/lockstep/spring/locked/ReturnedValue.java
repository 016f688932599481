package dev.lockstep.spring.locked;

import dev.lockstep.core.InvalidRequestException;
import java.lang.reflect.Method;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/** What a method returns, as far as it says when the method's work is done. */
final class ReturnedValue {
    private static final String CURE =
            "Return a CompletableFuture or a CompletionStage, with Reactor a Mono, Flux or Publisher, or nothing that continues after the method.";

    /** By name, since the class path need not have them. */
    private static final Set<String> PUBLISHERS =
            Set.of("org.reactivestreams.Publisher", "kotlinx.coroutines.flow.Flow");

    /** What can be locked from the subscription to the end, where Reactor is on the class path. */
    private static final Set<String> REACTIVE =
            Set.of("reactor.core.publisher.Mono", "reactor.core.publisher.Flux", "org.reactivestreams.Publisher");

    private static final boolean HAS_REACTOR =
            ClassUtils.isPresent("reactor.core.publisher.Mono", ReturnedValue.class.getClassLoader());

    private ReturnedValue() {}

    static boolean isReactive(Method method) {
        return HAS_REACTOR && REACTIVE.contains(method.getReturnType().getName());
    }

    static boolean isFuture(Method method) {
        return CompletionStage.class.isAssignableFrom(method.getReturnType());
    }

    /** Refuses what continues after the method without showing its end. */
    static void check(Method method, String where) {
        Class<?> type = method.getReturnType();
        if (KotlinDetector.isSuspendingFunction(method)) {
            throw LockedMethodReader.invalid(where, "it is a suspending function, whose end a proxy doesn't see", CURE);
        }
        if (isFuture(method)) {
            checkFuture(type, where);
        } else if (Future.class.isAssignableFrom(type)) {
            throw LockedMethodReader.invalid(
                    where, "it returns a " + type.getName() + ", which doesn't tell when it is done", CURE);
        } else if (isPublisher(type) && !isReactive(method)) {
            throw LockedMethodReader.invalid(
                    where,
                    "it returns a " + type.getName() + ", whose work begins after the method has returned",
                    CURE);
        }
    }

    private static void checkFuture(Class<?> type, String where) {
        if (!type.isAssignableFrom(CompletableFuture.class)) {
            throw LockedMethodReader.invalid(
                    where,
                    "it returns a " + type.getName() + ", and callers get a future of Lockstep's own in its place",
                    "Declare a CompletableFuture or a CompletionStage.");
        }
    }

    private static boolean isPublisher(Class<?> type) {
        return Flow.Publisher.class.isAssignableFrom(type)
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(each -> PUBLISHERS.contains(each.getName()))
                || ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
    }

    /** Refuses a future that the declared type hid from {@link #check}: its lock would be released too early. */
    static void checkHidden(@Nullable Object value, LockedMethod method) {
        if (value != null
                && (value instanceof Future || value instanceof CompletionStage || isPublisher(value.getClass()))) {
            throw new InvalidRequestException(method.where() + ": it returned a "
                    + value.getClass().getName()
                    + ", which its declaration doesn't say, so its locks are not held until that is done. "
                    + CURE);
        }
    }
}
