package dev.lockstep.spring.locked;

import java.lang.reflect.Method;
import org.aopalliance.aop.Advice;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ClassFilter;
import org.springframework.aop.Pointcut;
import org.springframework.aop.support.AbstractPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.core.Ordered;

/** Puts the locks around the methods that are annotated. */
final class LockedAdvisor extends AbstractPointcutAdvisor {
    /** The default: outside of transactions and caches, whose advice comes last by default, and inside of security. */
    static final int ORDER = Ordered.LOWEST_PRECEDENCE - 1_000;

    private static final long serialVersionUID = 1L;

    private final transient Pointcut pointcut;
    private final transient Advice advice;

    LockedAdvisor(Advice advice, ClassFilter types, int order) {
        this.advice = advice;
        pointcut = new Annotated(types);
        setOrder(order);
    }

    @Override
    public Pointcut getPointcut() {
        return pointcut;
    }

    @Override
    public Advice getAdvice() {
        return advice;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    private static final class Annotated extends StaticMethodMatcherPointcut {
        Annotated(ClassFilter types) {
            setClassFilter(types);
        }

        @Override
        public boolean matches(Method method, Class<?> type) {
            return LockedMethods.annotation(method, type) != null;
        }
    }
}
