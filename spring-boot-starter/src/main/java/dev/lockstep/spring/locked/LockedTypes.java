package dev.lockstep.spring.locked;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.spring.Locked;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.ClassFilter;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * The types of beans with locked methods. Once the application has started, one that turns up late, as from a bean that was only
 * known by an interface, is checked before its first proxy is made.
 */
final class LockedTypes implements ClassFilter {
    private final LockedMethods methods;
    private final Map<Class<?>, Set<Method>> byType = new ConcurrentHashMap<>();
    private volatile boolean started;

    LockedTypes(LockedMethods methods) {
        this.methods = methods;
    }

    @Override
    public boolean matches(Class<?> type) {
        if (methodsOf(type).isEmpty()) {
            return false;
        }
        if (started) {
            List<String> problems = problems(type);
            if (!problems.isEmpty()) {
                throw new InvalidRequestException(String.join("\n", problems));
            }
        }
        return true;
    }

    /** What {@link #matches} was asked of so far and has locked methods. */
    Set<Class<?>> seen() {
        Set<Class<?>> seen = ConcurrentHashMap.newKeySet();
        byType.forEach((type, found) -> {
            if (!found.isEmpty()) {
                seen.add(type);
            }
        });
        return seen;
    }

    void started() {
        started = true;
    }

    /** The locked methods of a type, private and static ones included. */
    Set<Method> methodsOf(Class<?> type) {
        return byType.computeIfAbsent(ClassUtils.getUserClass(type), LockedTypes::find);
    }

    private static Set<Method> find(Class<?> type) {
        if (!AnnotationUtils.isCandidateClass(type, Locked.class)) {
            return Set.of();
        }
        return MethodIntrospector.selectMethods(type, (ReflectionUtils.MethodFilter)
                method -> !method.isSynthetic() && LockedMethods.annotation(method, type) != null);
    }

    /** What is wrong with the locked methods of a type, each with what to write instead. */
    List<String> problems(Class<?> type) {
        List<String> problems = new ArrayList<>();
        for (Method method : methodsOf(type)) {
            try {
                String where = LockedMethodReader.where(method, type);
                MethodPlace.check(method, type, where);
                ReturnedValue.check(method, where);
                methods.of(method, type);
            } catch (InvalidRequestException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
        return problems;
    }
}
