package dev.lockstep.server.http;

import dev.lockstep.spring.LockstepStartException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Refuses to start a server that anybody could use. */
@Component
final class StartRules {
    private static final Logger LOG = LoggerFactory.getLogger(StartRules.class);

    StartRules(
            Tokens tokens,
            org.springframework.boot.web.server.autoconfigure.ServerProperties web,
            Environment environment) {
        if (tokens.isEmpty() && ManagementPortType.get(environment) == ManagementPortType.DIFFERENT) {
            requireLocalManagement(environment.getProperty("management.server.address"));
        }
        if (tokens.isEmpty() && !isLoopback(web.getAddress())) {
            throw missingToken(web.getAddress());
        }
        if (!tokens.isEmpty() && web.getSsl() == null && !isLoopback(web.getAddress())) {
            LOG.warn(
                    "Tokens travel in clear text to this server, which has no TLS. Write server.ssl.bundle (--tls-certificate and"
                            + " --tls-key of 'lockstep serve'), unless a proxy in front of it has TLS.");
        }
    }

    /** Spring doesn't use server.address for a separate port. */
    private static void requireLocalManagement(@Nullable String address) {
        if (address == null || !isLoopback(resolve(address))) {
            throw new LockstepStartException(
                    "The server asks for no token, and its management port would be reachable at "
                            + (address == null ? "all addresses" : address) + ".",
                    "Set management.server.address=127.0.0.1, leave out management.server.port, or set lockstep.server.token.");
        }
    }

    private static @Nullable InetAddress resolve(String address) {
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            return null;
        }
    }

    private static boolean isLoopback(@Nullable InetAddress address) {
        return address != null && address.isLoopbackAddress();
    }

    private static LockstepStartException missingToken(@Nullable InetAddress address) {
        return new LockstepStartException(
                "The server would listen on " + (address == null ? "all addresses" : address.getHostAddress())
                        + ", where others can reach it, and asks for no token.",
                "Set lockstep.server.token (LOCKSTEP_SERVER_TOKEN in the environment) to a secret of at least 16"
                        + " characters, or listen on this machine only with server.address=127.0.0.1.");
    }
}
