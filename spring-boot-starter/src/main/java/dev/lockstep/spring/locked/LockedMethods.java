package dev.lockstep.spring.locked;

import dev.lockstep.core.Kinds;
import dev.lockstep.spring.Locked;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.MethodClassKey;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.function.SingletonSupplier;

/** Finds the annotation of a method and reads it once. The annotation of the method wins over that of its class. */
final class LockedMethods {
    private final SingletonSupplier<LockedMethodReader> reader;
    private final Map<MethodClassKey, LockedMethod> read = new ConcurrentHashMap<>();

    LockedMethods(Supplier<Kinds> kinds, UnaryOperator<String> properties, Supplier<String> process) {
        reader = SingletonSupplier.of(() -> new LockedMethodReader(kinds.get(), properties, process.get()));
    }

    LockedMethod of(Method method, Class<?> type) {
        MethodClassKey key = new MethodClassKey(method, type);
        LockedMethod known = read.get(key);
        if (known != null) {
            return known;
        }
        LockedMethod found = read(method, type);
        read.put(key, found);
        return found;
    }

    private LockedMethod read(Method method, Class<?> type) {
        Locked locked = annotation(method, type);
        if (locked == null) {
            throw new IllegalStateException("There is no @Locked on " + method);
        }
        return reader.obtain().read(specific(method, type), ClassUtils.getUserClass(type), locked);
    }

    /** The annotation that goes for a method when it is called on a bean of this type; null if none does. */
    static @Nullable Locked annotation(Method method, Class<?> type) {
        if (ReflectionUtils.isObjectMethod(method)) {
            return null;
        }
        Method specific = specific(method, type);
        Locked own = AnnotatedElementUtils.findMergedAnnotation(specific, Locked.class);
        if (own == null && !specific.equals(method)) {
            own = AnnotatedElementUtils.findMergedAnnotation(method, Locked.class);
        }
        return own != null || !isPublicOfInstance(specific)
                ? own
                : AnnotatedElementUtils.findMergedAnnotation(ClassUtils.getUserClass(type), Locked.class);
    }

    private static boolean isPublicOfInstance(Method method) {
        return Modifier.isPublic(method.getModifiers())
                && !Modifier.isStatic(method.getModifiers())
                && !method.isSynthetic();
    }

    /** The method as the type has it; the methods of a proxy's class have neither annotations nor names. */
    static Method specific(Method method, Class<?> type) {
        return Proxy.isProxyClass(type) ? method : AopUtils.getMostSpecificMethod(method, type);
    }
}
