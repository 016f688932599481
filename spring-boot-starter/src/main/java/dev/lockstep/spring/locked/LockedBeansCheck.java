package dev.lockstep.spring.locked;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.LockstepStartException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyConfig;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Fails the start when a locked method of any bean is wrong, also of one that is made later; the message lists all of them. */
final class LockedBeansCheck implements SmartInitializingSingleton {
    private final ConfigurableListableBeanFactory beans;
    private final LockedTypes types;
    private final PreregisteredBeans handedIn;
    private final Set<String> problems = new LinkedHashSet<>();

    LockedBeansCheck(ConfigurableListableBeanFactory beans, LockedTypes types, PreregisteredBeans handedIn) {
        this.beans = beans;
        this.types = types;
        this.handedIn = handedIn;
    }

    @Override
    public void afterSingletonsInstantiated() {
        boolean any = false;
        for (String name : beans.getBeanDefinitionNames()) {
            any |= check(name);
        }
        for (Class<?> type : types.seen()) {
            any = true;
            checkType(type);
        }
        if (any) {
            problems.addAll(TransactionOrder.problems(beans));
        }
        if (!problems.isEmpty()) {
            throw new LockstepStartException(
                    "Locked methods can't work as they are:\n" + String.join("\n", problems),
                    "Change each of them as it is said there.");
        }
        types.started();
    }

    /** Returns whether the bean has locked methods. */
    private boolean check(String name) {
        Class<?> type =
                beans.getBeanDefinition(name).isAbstract() ? null : AutoProxyUtils.determineTargetClass(beans, name);
        if (type == null || types.methodsOf(type).isEmpty()) {
            return false;
        }
        closeBeforeLocks(name);
        if (checkType(type) && !handedIn.contains(name)) {
            checkProxy(name, ClassUtils.getUserClass(type));
        }
        return true;
    }

    /** The bean's methods may run until it is destroyed, also where the locks are not injected into it. */
    private void closeBeforeLocks(String name) {
        for (String locks : beans.getBeanNamesForType(Locks.class, false, false)) {
            beans.registerDependentBean(locks, name);
        }
    }

    private boolean checkType(Class<?> type) {
        if (!hasOne(Locks.class, type) || !hasOne(Kinds.class, type)) {
            return false;
        }
        List<String> found = types.problems(type);
        problems.addAll(found);
        return found.isEmpty();
    }

    private boolean hasOne(Class<?> needed, Class<?> type) {
        if (beans.getBeanProvider(needed).getIfUnique() != null) {
            return true;
        }
        boolean none = beans.getBeanProvider(needed).stream().findAny().isEmpty();
        problems.add("@Locked on methods of " + type.getName()
                + (none
                        ? ": there is no bean of type " + needed.getName()
                                + " to lock with. Configure lockstep.store, without lockstep.enabled=false, or declare a bean of that"
                                + " type. In tests, lockstep.store=memory needs no server."
                        : ": there are several beans of type " + needed.getName()
                                + ", and it is not known which one to lock with. Mark one of them with @Primary."));
        return false;
    }

    private void checkProxy(String name, Class<?> type) {
        Object made = beans.containsSingleton(name) ? beans.getSingleton(name) : null;
        if (made != null && type.isInstance(made) && !isAdvised(made)) {
            problems.add("@Locked on methods of " + type.getName() + ": the bean '" + name
                    + "' has no proxy that could lock, since it was made before all others, as what a BeanPostProcessor"
                    + " needs is. Let nothing that early depend on it, or use Locks.run in it.");
            return;
        }
        boolean ofClass = made instanceof Advised advised ? advised.isProxyTargetClass() : isClassProxied(name, type);
        for (Method method : types.methodsOf(type)) {
            try {
                MethodPlace.checkProxy(method, type, ofClass, LockedMethodReader.where(method, type));
            } catch (InvalidRequestException e) {
                problems.add(String.valueOf(e.getMessage()));
            }
        }
    }

    private static boolean isAdvised(Object made) {
        return made instanceof Advised advised
                && Arrays.stream(advised.getAdvisors()).anyMatch(LockedAdvisor.class::isInstance);
    }

    private boolean isClassProxied(String name, Class<?> type) {
        return AutoProxyUtils.shouldProxyTargetClass(beans, name)
                || allProxiesAreOfClasses()
                || ClassUtils.getAllInterfacesForClassAsSet(type).stream().allMatch(LockedBeansCheck::isCallback);
    }

    private boolean allProxiesAreOfClasses() {
        @Nullable
        Object creator = beans.containsBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                ? beans.getBean(AopConfigUtils.AUTO_PROXY_CREATOR_BEAN_NAME)
                : null;
        return creator instanceof ProxyConfig config && config.isProxyTargetClass();
    }

    /** Interfaces that Spring makes no proxy of. */
    private static boolean isCallback(Class<?> type) {
        return type.getMethods().length == 0
                || type.getName().startsWith("org.springframework.")
                || type.getName().startsWith("java.");
    }
}
