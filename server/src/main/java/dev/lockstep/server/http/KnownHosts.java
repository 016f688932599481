package dev.lockstep.server.http;

import dev.lockstep.server.ServerProperties;
import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementServerProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** The names and addresses by which this server may be called, and those of its management port where that is another. */
@Component
final class KnownHosts {
    private final Set<String> names;
    private final @Nullable InetAddress bound;
    private final @Nullable InetAddress managementBound;

    KnownHosts(
            ServerProperties properties,
            org.springframework.boot.web.server.autoconfigure.ServerProperties web,
            Environment environment) {
        bound = web.getAddress();
        managementBound = Binder.get(environment)
                .bindOrCreate("management.server", ManagementServerProperties.class)
                .getAddress();
        names = Stream.concat(
                        properties.hosts().stream(),
                        Stream.concat(configuredName(bound), configuredName(managementBound)))
                .map(each -> Authority.host(each.toLowerCase(Locale.ROOT)))
                .collect(Collectors.toSet());
    }

    boolean contain(String host, boolean onManagementPort) {
        return host.equals("localhost")
                || names.contains(host)
                || literal(host)
                        .filter(address -> isOurs(address, onManagementPort ? managementBound : bound))
                        .isPresent();
    }

    /** The name that the address was configured by, if it was one. No DNS look-up is made. */
    private static Stream<String> configuredName(@Nullable InetAddress address) {
        return Stream.ofNullable(address)
                .map(each -> each.toString().replaceFirst("/.*", ""))
                .filter(name -> !name.isEmpty());
    }

    /** On all addresses at once any address will do: only a name can be made to lead here from elsewhere. */
    private static boolean isOurs(InetAddress address, @Nullable InetAddress bound) {
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
