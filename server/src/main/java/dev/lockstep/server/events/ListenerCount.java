package dev.lockstep.server.events;

import java.util.function.IntSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How many clients listen, for the server's status. */
@Configuration(proxyBeanMethods = false)
class ListenerCount {
    @Bean
    IntSupplier eventListeners(EventStreams streams) {
        return streams::listening;
    }
}
