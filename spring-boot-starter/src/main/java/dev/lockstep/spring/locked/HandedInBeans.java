package dev.lockstep.spring.locked;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Beans that were there before any was made, as those that tests put in the place of others. What is handed in is that
 * very object, so no proxy is missed around it.
 */
final class HandedInBeans implements BeanFactoryPostProcessor {
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    /** Called after those that have an order, by which tests replace beans. */
    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        for (String name : beans.getBeanDefinitionNames()) {
            if (beans.containsSingleton(name)) {
                names.add(name);
            }
        }
    }

    boolean contains(String name) {
        return names.contains(name);
    }
}
