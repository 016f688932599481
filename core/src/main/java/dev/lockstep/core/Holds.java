package dev.lockstep.core;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says which kinds the caller of a method must hold. The check while compiling reports a call where nothing of them is held, and counts them as held
 * inside the method. It goes for all methods that override this one, and changes nothing at run time.
 *
 * <pre>{@code
 * @Holds("account")
 * void debit(Account account, long amount) { … }
 * }</pre>
 */
@Documented
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.METHOD, ElementType.CONSTRUCTOR})
public @interface Holds {
    /** The kinds' prefixes, such as {@code "account"}. */
    String[] value();
}
