package dev.lockstep.server.http;

import dev.lockstep.spring.LockstepStartException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementServerProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Refuses to start a server that is open to all. */
@Component
final class StartRules {
    private static final Logger LOG = LoggerFactory.getLogger(StartRules.class);

    StartRules(
            Tokens tokens,
            org.springframework.boot.web.server.autoconfigure.ServerProperties web,
            Environment environment) {
        boolean separatePort = ManagementPortType.get(environment) == ManagementPortType.DIFFERENT;
        ManagementServerProperties management =
                Binder.get(environment).bindOrCreate("management.server", ManagementServerProperties.class);
        if (tokens.isEmpty()) {
            if (separatePort) {
                requireLocalManagement(management.getAddress());
            }
            if (!isLoopback(web.getAddress())) {
                throw missingToken(web.getAddress());
            }
            return;
        }
        if (isClearText(web.getAddress(), web.getSsl())) {
            LOG.warn("Tokens travel in clear text to this server, which has no TLS. Write server.ssl.bundle"
                    + " (--tls-certificate and --tls-key of 'lockstep serve'), unless a proxy in front of it has"
                    + " TLS.");
        }
        if (separatePort && isClearText(management.getAddress(), management.getSsl())) {
            LOG.warn("Tokens travel in clear text to the management port, which has no TLS. Write"
                    + " management.server.ssl.bundle, or management.server.address=127.0.0.1.");
        }
    }

    /** The management port doesn't use server.ssl. */
    private static boolean isClearText(@Nullable InetAddress address, @Nullable Ssl ssl) {
        return !isLoopback(address) && !Ssl.isEnabled(ssl);
    }

    /** Spring doesn't use server.address for a separate port. */
    private static void requireLocalManagement(@Nullable InetAddress address) {
        if (!isLoopback(address)) {
            throw new LockstepStartException(
                    "The server asks for no token, and its management port would be reachable at "
                            + (address == null ? "all addresses" : address.getHostAddress()) + ".",
                    "Set management.server.address=127.0.0.1, leave out management.server.port, or set"
                            + " lockstep.server.token.");
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
