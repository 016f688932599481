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
 * <p>A key is written as {@code kind:id/kind:id}; an id may be an expression over the method's arguments, by their names or as
 * {@code #p0}. {@code user:#u} and {@code user:{u}} without {@code #{…}} fail the start: they would be the same key for every call. Whatever an argument holds is one id, also with {@code /} or {@code :} in it; null and empty ones are refused before anything
 * is locked. An expression that answers a collection or an array stands for one key for each element. Keys are checked when the application
 * starts.
 *
 * <p>On a class it goes for all public methods; a method's own wins. Inside a transaction that has already begun, the locks are held until
 * that has ended. A transaction whose lock was lost is rolled back, and a method whose lock was lost by its end throws a
 * {@link dev.lockstep.core.LeaseLostException}. When the locks are not acquired in time, it is a
 * {@link dev.lockstep.core.LockTimeoutException}.
 */
@Target({ElementType.METHOD, ElementType.TYPE, ElementType.ANNOTATION_TYPE})
@Retention(RetentionPolicy.RUNTIME)
@Inherited
@Documented
public @interface Locked {
    /** Keys to lock exclusively. */
    String[] value() default {};

    /** Keys to lock shared. */
    String[] shared() default {};

    /** How long to wait, such as {@code 500ms} or {@code 2s}, or {@code 0s} for not at all; {@code lockstep.wait} unless given. May be a {@code ${property}}. */
    String within() default "";

    /** How long to hold at most, however often the lease is renewed; {@code lockstep.longest-hold} unless given. May be a {@code ${property}}. */
    String atMost() default "";

    /**
     * What happens when the locks are not acquired in time. {@link IfBusy#SKIP} is for {@code @Scheduled} methods that several nodes start at the same
     * time; such a method returns nothing or an {@code Optional}, and doesn't wait unless {@link #within} says so.
     */
    IfBusy ifBusy() default IfBusy.FAIL;

    /**
     * How long to hold at least, from the grant on, such as {@code 30s}: also after the method has returned, so that another node whose clock is late
     * doesn't run a short task again. Not inside a transaction that has already begun. May be a {@code ${property}}.
     */
    String atLeast() default "";

    /**
     * The method of the same class that is called instead when the locks are not acquired in time, with the same parameters; a
     * {@link dev.lockstep.core.LockTimeoutException} may follow them. It returns what this method returns. Nothing is held while it runs.
     */
    String fallback() default "";

    /** Who asks, for those who wait and for snapshots; class and method unless given. */
    String owner() default "";

    /** What happens when the locks of a method are not acquired in time. */
    enum IfBusy {
        /** The call fails with a {@link dev.lockstep.core.LockTimeoutException}. */
        FAIL,
        /** The method is not run, and the call returns nothing or an empty {@code Optional}. */
        SKIP
    }
}
