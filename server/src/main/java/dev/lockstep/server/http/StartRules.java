package dev.lockstep.server.http;

import dev.lockstep.server.ServerProperties;
import dev.lockstep.spring.LockstepStartException;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Refuses to start a server that anybody could use, or whose token can be guessed. */
@Component
final class StartRules {
    private static final int SHORTEST_TOKEN = 16;

    StartRules(ServerProperties properties, org.springframework.boot.web.server.autoconfigure.ServerProperties web) {
        String token = properties.token();
        if (token != null && !token.isEmpty()) {
            checkToken(token);
        } else if (web.getAddress() == null || !web.getAddress().isLoopbackAddress()) {
            throw missingToken(web.getAddress());
        }
    }

    private static void checkToken(String token) {
        if (token.length() < SHORTEST_TOKEN || !token.chars().allMatch(each -> each > ' ' && each < 127)) {
            throw new LockstepStartException(
                    "The token in lockstep.server.token has " + token.length()
                            + " characters, or some that no header can carry.",
                    "Write at least " + SHORTEST_TOKEN
                            + " letters, digits and signs of ASCII without spaces, such as what `openssl rand -hex 24` prints.");
        }
    }

    private static LockstepStartException missingToken(@Nullable InetAddress address) {
        return new LockstepStartException(
                "The server would listen on " + (address == null ? "all addresses" : address.getHostAddress())
                        + ", where others can reach it, and asks for no token.",
                "Set lockstep.server.token (LOCKSTEP_SERVER_TOKEN in the environment) to a secret of at least "
                        + SHORTEST_TOKEN
                        + " characters, or listen on this machine only with server.address=127.0.0.1.");
    }
}
