package dev.lockstep.spring.locked;

import java.lang.reflect.Method;
import java.util.function.Function;

/** A method whose class was compiled without the names of its arguments: one of the JDK. */
final class NamelessMethod {
    private NamelessMethod() {}

    static Method make() {
        try {
            return Function.class.getMethod("apply", Object.class);
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException(e);
        }
    }
}
