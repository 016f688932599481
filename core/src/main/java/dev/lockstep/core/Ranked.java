package dev.lockstep.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Defines the kind that an enum constant is, so that the enum needs no methods:
 *
 * <pre>{@code
 * enum Shop implements LockKind {
 *     @Ranked(10) CUSTOMER,
 *     @Ranked(value = 20, in = "CUSTOMER") ORDER
 * }
 * }</pre>
 *
 * <p>Ranks are written out rather than counted: processes that run different versions of the enum must agree on them.
 *
 * <p>A static final field of a kind may have it, too, with the values of its {@link LockKind#of}. Only the check of the lock order while compiling reads it
 * there: class files keep the annotation, but not the initializer.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Ranked {
    /** The kind's rank: zero or more, different for each kind, and above its parent's. */
    int value();

    /** The name of the constant that contains this kind; empty for a kind at the top. */
    String in() default "";

    /** The kind's name in keys; by default the constant's name in lower case, with '-' for '_'. */
    String prefix() default "";

    /** Whether nothing is ever locked below this kind; see {@link LockKind#leaf}. */
    boolean leaf() default false;
}
