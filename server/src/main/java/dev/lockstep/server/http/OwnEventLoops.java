package dev.lockstep.server.http;

import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.ReactorResourceFactory;

/** Event loops of this server's own: those that a process shares would end for all servers in it when one of them stops. */
@Configuration(proxyBeanMethods = false)
class OwnEventLoops {
    @Bean
    ReactorResourceFactory reactorResources() {
        ReactorResourceFactory loops = new ReactorResourceFactory();
        loops.setUseGlobalResources(false);
        loops.setShutdownQuietPeriod(Duration.ZERO); // all responses have been sent when they end
        return loops;
    }
}
