package dev.lockstep.spring.locked;

import dev.lockstep.core.Kinds;
import dev.lockstep.core.Locks;
import dev.lockstep.spring.Locked;
import org.springframework.aop.config.AopConfigUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotationMetadata;

/** The beans that make {@link Locked} work. They ask for the locks and the kinds late, so that no bean is made too early because of them. */
@Configuration(proxyBeanMethods = false)
@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
@Import(LockedConfiguration.Proxies.class)
public class LockedConfiguration {
    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static RunningLeases lockstepRunningLeases() {
        return new RunningLeases();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static CommitCheck lockstepCommitCheck(RunningLeases running) {
        return new CommitCheck(running);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedMethods lockstepLockedMethods(
            ObjectProvider<Kinds> kinds, ConfigurableListableBeanFactory beans, Environment environment) {
        return new LockedMethods(kinds::getObject, text -> resolved(text, beans), () -> DefaultOwner.in(environment));
    }

    /** Contexts differ in what they do with a property that is not set: some leave the text as it is. */
    private static String resolved(String text, ConfigurableListableBeanFactory beans) {
        String value = beans.resolveEmbeddedValue(text);
        if (value == null || value.contains("${")) {
            throw new IllegalArgumentException("A property is not set: " + text);
        }
        return value;
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedTypes lockstepLockedTypes(LockedMethods methods) {
        return new LockedTypes(methods);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedAdvisor lockstepLockedAdvisor(
            LockedMethods methods,
            RunningLeases running,
            LockedTypes types,
            ObjectProvider<Locks> locks,
            Environment environment) {
        int order = environment.getProperty("lockstep.locked.order", Integer.class, LockedAdvisor.ORDER);
        return new LockedAdvisor(new LockedInterceptor(methods, running, locks::getObject), types, order);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static PreregisteredBeans lockstepHandedInBeans() {
        return new PreregisteredBeans();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static LockedBeansCheck lockstepLockedBeansCheck(
            ConfigurableListableBeanFactory beans, LockedTypes types, PreregisteredBeans handedIn) {
        return new LockedBeansCheck(beans, types, handedIn);
    }

    /** Registers what puts advice around beans, unless transactions or others did; it needs no AspectJ. */
    static final class Proxies implements ImportBeanDefinitionRegistrar {
        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            AopConfigUtils.registerAutoProxyCreatorIfNecessary(registry);
        }
    }
}
