package dev.lockstep.cli.store;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** {@code redis-cluster://user:password@host1:6379,host2:6379}, or {@code rediss-cluster:} for TLS: one URL for several nodes. */
final class RedisClusterUrl {
    private static final String CLUSTER = "-cluster";

    private RedisClusterUrl() {}

    static boolean isOne(String url) {
        return url.toLowerCase(Locale.ROOT).matches("(?s)rediss?-cluster:.*");
    }

    /** The URLs of the nodes, with the user and the password in each. */
    static List<String> nodes(String url) {
        String scheme = url.substring(0, url.indexOf('-')).toLowerCase(Locale.ROOT);
        String rest = url.substring(url.indexOf(':') + 1).replaceFirst("^//", "");
        int at = rest.lastIndexOf('@');
        String login = rest.substring(0, at + 1);
        return Arrays.stream(rest.substring(at + 1).split(","))
                .map(node -> scheme + "://" + login + node.strip())
                .toList();
    }

    /** The other way round, for people. */
    static String of(List<String> urls) {
        String scheme = urls.get(0).substring(0, urls.get(0).indexOf(':'));
        return urls.stream()
                .map(url -> url.substring(url.indexOf("//") + 2).replaceFirst("/0?$", ""))
                .collect(Collectors.joining(",", scheme + CLUSTER + "://", ""));
    }
}
