package dev.lockstep.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which kinds a method locks and releases, so that calls of it are checked against the lock order while compiling. It goes for all methods that
 * override this one, and changes nothing at run time.
 *
 * <pre>{@code
 * interface Names {
 *     @Takes("character")
 *     void rename(String character);
 * }
 * }</pre>
 *
 * <p>Private, static and final methods of the same top-level class need none: the check reads their bodies.
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Takes {
    /** The kinds' prefixes, such as {@code "character"}. */
    String[] value();
}
