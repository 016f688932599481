package dev.lockstep.spring.locked;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.springframework.util.ClassUtils;

/** Whether a call of a method can go through a proxy at all. */
final class MethodPlace {
    private MethodPlace() {}

    static void check(Method method, Class<?> type, String where) {
        if (Proxy.isProxyClass(type)) {
            return;
        }
        int modifiers = method.getModifiers();
        if (Modifier.isPrivate(modifiers)) {
            throw wrong(where, "it is private");
        }
        if (Modifier.isStatic(modifiers)) {
            throw wrong(where, "it is static");
        }
        if (Modifier.isFinal(modifiers)) {
            throw wrong(where, "it is final");
        }
    }

    private static RuntimeException wrong(String where, String what) {
        return LockedMethodReader.invalid(
                where,
                what + ", so no proxy can put locks around it",
                "Make it a public method that can be overridden, or use Locks.run in it.");
    }

    /** Refuses a method that a proxy made of the bean's interfaces, or of its class, would not have. */
    static void checkProxy(Method method, Class<?> type, boolean ofClass, String where) {
        if (ofClass && Modifier.isFinal(type.getModifiers()) && !Proxy.isProxyClass(type)) {
            throw LockedMethodReader.invalid(
                    where,
                    "its class is final, so no proxy can be made of it",
                    "Leave out final, or use Locks.run in it.");
        }
        if (!ofClass && !isInInterface(method, type)) {
            throw LockedMethodReader.invalid(
                    where,
                    "the bean's proxy is made of its interfaces, and none of them has this method",
                    "Add it to an interface, or set spring.aop.proxy-target-class=true.");
        }
    }

    private static boolean isInInterface(Method method, Class<?> type) {
        return type.isInterface()
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                        .anyMatch(each -> ClassUtils.hasMethod(each, method.getName(), method.getParameterTypes()));
    }
}
