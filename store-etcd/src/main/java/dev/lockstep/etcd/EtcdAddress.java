package dev.lockstep.etcd;

import dev.lockstep.core.InvalidRequestException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where the members of an etcd cluster are, and as which user to ask them.
 *
 * @param members each as {@code host:port}
 */
record EtcdAddress(List<String> members, boolean tls, Optional<Credentials> credentials) {
    private static final String DEFAULT_PORT = ":2379";

    /** A user of etcd. */
    record Credentials(String user, String password) {
        @Override
        public String toString() {
            return "user '" + user + "'";
        }
    }

    EtcdAddress {
        members = List.copyOf(members);
    }

    /** Reads {@code etcd://user:password@host1:2379,host2:2379}; the scheme {@code etcds} stands for TLS. */
    static EtcdAddress parse(String url) {
        int scheme = url.indexOf("://");
        String name = scheme < 0 ? "" : url.substring(0, scheme);
        if (!name.equals("etcd") && !name.equals("etcds")) {
            throw invalid();
        }
        String rest = url.substring(scheme + 3);
        if (rest.endsWith("/")) {
            rest = rest.substring(0, rest.length() - 1);
        }
        int at = rest.lastIndexOf('@');
        List<String> members = Arrays.stream(rest.substring(at + 1).split(",", -1))
                .map(EtcdAddress::member)
                .toList();
        return new EtcdAddress(
                members, name.equals("etcds"), at < 0 ? Optional.empty() : credentials(rest.substring(0, at)));
    }

    private static Optional<Credentials> credentials(String text) {
        int colon = text.indexOf(':');
        if (colon < 1) {
            throw invalid();
        }
        return Optional.of(new Credentials(decode(text.substring(0, colon)), decode(text.substring(colon + 1))));
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) { // its message may hold the password
            throw invalid();
        }
    }

    private static String member(String text) {
        String withPort = text.matches(".*:\\d+") ? text : text + DEFAULT_PORT;
        try {
            URI uri = URI.create("etcd://" + withPort);
            if (uri.getHost() == null
                    || uri.getPort() < 1
                    || uri.getPort() > 65_535
                    || !uri.getPath().isEmpty()) {
                throw invalid();
            }
            return withPort;
        } catch (IllegalArgumentException e) {
            throw invalid();
        }
    }

    private static InvalidRequestException invalid() {
        return new InvalidRequestException(
                "That is not the address of an etcd cluster. Write etcd://host1:2379,host2:2379,host3:2379,"
                        + " etcd://user:password@host:2379 or, for TLS, etcds://host:2379; special characters of the password are"
                        + " percent-encoded.");
    }

    /** The members in an order that doesn't depend on how they were written; without a password. */
    @Override
    public String toString() {
        return members.stream().sorted().collect(Collectors.joining(","));
    }
}
