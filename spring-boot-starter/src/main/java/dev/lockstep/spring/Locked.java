package dev.lockstep.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Holds locks around a method, until after its transaction has ended and, if it returns a future, until that has completed.
 *
 * <pre>{@code
 * @Locked("user:#{#u}/account:#{#a}")
 * void closeAccount(String u, String a) { … }
 *
 * @Locked(value = {"account:#{#from}", "account:#{#to}"}, shared = "bank:main", within = "2s")
 * void transfer(String from, String to, long amount) { … }
 * }</pre>
 *
 * <p>A key is written as {@code kind:id/kind:id}; an id may be an expression over the method's arguments, by their names. Whatever an
 * argument holds is one id, also with {@code /} or {@code :} in it. An expression that answers a collection or an array stands for one
 * key for each element. Keys are checked when the application starts.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface Locked {
    /** What nobody else may hold meanwhile. */
    String[] value() default {};

    /** What others may hold meanwhile too, but nobody exclusively. */
    String[] shared() default {};

    /** How long to wait, such as {@code 500ms} or {@code 2s}; {@code lockstep.wait} unless given. May be a {@code ${property}}. */
    String within() default "";

    /** How long to hold at most, however often the lease is renewed; {@code lockstep.longest-hold} unless given. May be a {@code ${property}}. */
    String atMost() default "";

    /** Who asks, for those who wait and for snapshots; class and method unless given. */
    String owner() default "";
}
