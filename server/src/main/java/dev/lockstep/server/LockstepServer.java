package dev.lockstep.server;

import dev.lockstep.server.demo.DemoKinds;
import dev.lockstep.spring.autoconfigure.LockObservationAutoConfiguration;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.ConfigurationPropertiesScan;
import org.springframework.context.ConfigurableApplicationContext;

/** The server: a Spring Boot application on Lockstep's own starter. */
@SpringBootApplication(
        proxyBeanMethods = false,
        exclude = LockObservationAutoConfiguration.class) // spans of locks, which are lost: there is no tracer
@ConfigurationPropertiesScan
public class LockstepServer {
    /** Starts it with the properties of a Spring Boot application as arguments. */
    public static void main(String[] args) {
        application().run(args);
    }

    /** Starts it with these properties, which come before those of the environment and stand for themselves: "${" is no placeholder. */
    public static ConfigurableApplicationContext start(Map<String, ?> properties) {
        return application()
                .run(properties.entrySet().stream()
                        .map(each -> "--" + each.getKey() + "=" + literal(each.getValue()))
                        .toArray(String[]::new));
    }

    private static String literal(Object value) {
        return String.valueOf(value).replace("${", "\\${");
    }

    private static SpringApplication application() {
        SpringApplication application = new SpringApplication(LockstepServer.class);
        application.addInitializers(new DemoKinds());
        return application;
    }
}
