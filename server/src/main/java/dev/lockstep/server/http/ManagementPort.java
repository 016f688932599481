package dev.lockstep.server.http;

import org.springframework.boot.actuate.autoconfigure.web.ManagementContextConfiguration;
import org.springframework.boot.actuate.autoconfigure.web.ManagementContextType;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;

/** The limits of connections also for a separate management port, whose web server doesn't have the customizers of the main one. */
@ManagementContextConfiguration(value = ManagementContextType.CHILD, proxyBeanMethods = false)
class ManagementPort {
    @Bean
    WebServerFactoryCustomizer<NettyReactiveWebServerFactory> limitsOfConnections(ConnectionLimits limits) {
        return factory -> {
            if (!factory.getServerCustomizers().contains(limits)) {
                factory.addServerCustomizers(limits);
            }
        };
    }
}
