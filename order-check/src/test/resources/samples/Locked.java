package dev.lockstep.spring;

import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** Stands for the starter's annotation, which is matched by its name. */
@Retention(RetentionPolicy.RUNTIME)
@Inherited
public @interface Locked {
    String[] value() default {};

    String[] shared() default {};
}
