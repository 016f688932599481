package dev.lockstep.spring.locked;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * The beans that were registered as objects before any was created, such as those with which tests replace others. No proxy surrounds them.
 */
final class PreregisteredBeans implements BeanFactoryPostProcessor {
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
