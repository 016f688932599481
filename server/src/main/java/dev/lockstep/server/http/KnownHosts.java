package dev.lockstep.server.http;

import dev.lockstep.server.ServerProperties;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The names and addresses by which this server may be called. */
@Component
final class KnownHosts {
    private final Set<String> names;
    private final @Nullable InetAddress bound;

    KnownHosts(ServerProperties properties, org.springframework.boot.web.server.autoconfigure.ServerProperties web) {
        names = properties.hosts().stream()
                .map(each -> Authority.host(each.toLowerCase(Locale.ROOT)))
                .collect(Collectors.toSet());
        bound = web.getAddress();
    }

    boolean contain(String host) {
        return host.equals("localhost")
                || names.contains(host)
                || (bound != null && host.equals(bound.getHostName().toLowerCase(Locale.ROOT)))
                || literal(host).filter(this::isOurs).isPresent();
    }

    /** On all addresses at once any address will do: only a name can be made to lead here from elsewhere. */
    private boolean isOurs(InetAddress address) {
        return address.isLoopbackAddress() || bound == null || bound.isAnyLocalAddress() || bound.equals(address);
    }

    private static Optional<InetAddress> literal(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            return bytes == null ? Optional.empty() : Optional.of(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            return Optional.empty();
        }
    }
}
