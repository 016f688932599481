package dev.lockstep.server.demo;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Declares what the simulated workers lock, on databases where the configuration declares no kinds. Elsewhere kinds stay open, so that
 * a user of the demo can lock other kinds.
 */
public final class DemoKinds implements ApplicationContextInitializer<ConfigurableApplicationContext> {
    private static final Set<String> ON_DATABASES = Set.of("mysql", "mariadb", "postgresql");

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        ConfigurableEnvironment environment = context.getEnvironment();
        boolean isDemo = environment.getProperty("lockstep.server.demo", Boolean.class, false);
        if (isDemo && needsKinds(environment) && !isDeclared(environment)) {
            environment.getPropertySources().addLast(new MapPropertySource("demo-kinds", kinds()));
        }
    }

    private static boolean needsKinds(ConfigurableEnvironment environment) {
        return ON_DATABASES.contains(
                environment.getProperty("lockstep.store", "").toLowerCase(Locale.ROOT));
    }

    private static boolean isDeclared(ConfigurableEnvironment environment) {
        return Binder.get(environment)
                .bind("lockstep.kinds", Bindable.mapOf(String.class, Object.class))
                .isBound();
    }

    private static Map<String, Object> kinds() {
        Map<String, Object> kinds = new LinkedHashMap<>();
        kinds.put("lockstep.kinds.job.rank", 0);
        kinds.put("lockstep.kinds.job.leaf", true);
        kinds.put("lockstep.kinds.user.rank", 1);
        kinds.put("lockstep.kinds.account.rank", 2);
        kinds.put("lockstep.kinds.account.parent", "user");
        kinds.put("lockstep.kinds.resource.rank", 3);
        kinds.put("lockstep.kinds.resource.parent", "account");
        kinds.put("lockstep.kinds.resource.leaf", true);
        return kinds;
    }
}
