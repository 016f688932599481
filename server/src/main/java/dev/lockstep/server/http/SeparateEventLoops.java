package dev.lockstep.server.http;

import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/** Separate event loops for this server: shared ones would end for all servers of the process when one of them stops. */
@Configuration(proxyBeanMethods = false)
class SeparateEventLoops {
    @Bean
    ReactorResourceFactory reactorResources() {
        ReactorResourceFactory loops = new ReactorResourceFactory();
        loops.setUseGlobalResources(false);
        loops.setShutdownQuietPeriod(Duration.ZERO); // all responses have been sent when they end
        return loops;
    }
}
