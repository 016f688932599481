package dev.lockstep.cli.store;

import dev.lockstep.core.InvalidRequestException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * One URL for several nodes: {@code redis-cluster://user:password@host1:6379,host2:6379?partitions=64}, or {@code rediss-cluster:} for TLS.
 *
 * @param nodes a Redis URL for each, with the user and the password
 * @param partitions into how many parts the locks are cut, if it is said
 */
record RedisClusterUrl(List<String> nodes, Optional<Integer> partitions) {
    private static final Pattern SCHEME = Pattern.compile("(?is)rediss?-cluster:.*");
    private static final Pattern WHOLE =
            Pattern.compile("(?i)(rediss?)-cluster://([^@/?#\\s]*@)?([^@/?#]+?)(?:\\?partitions=([0-9]{1,9}))?");
    private static final Pattern NODE = Pattern.compile("(\\[[^\\]\\s]+\\]|[^:\\s]+)(:[0-9]{1,5})?");

    static boolean isOne(String url) {
        return SCHEME.matcher(url).matches();
    }

    static RedisClusterUrl parse(String url) {
        Matcher parts = WHOLE.matcher(url);
        if (!parts.matches()) {
            throw refused(url);
        }
        String scheme = parts.group(1).toLowerCase(Locale.ROOT);
        String login = Optional.ofNullable(parts.group(2)).orElse("");
        List<String> hosts =
                Arrays.stream(parts.group(3).split(",", -1)).map(String::strip).toList();
        if (!hosts.stream().allMatch(host -> NODE.matcher(host).matches())) {
            throw refused(url);
        }
        return new RedisClusterUrl(
                hosts.stream().map(host -> scheme + "://" + login + host).toList(),
                Optional.ofNullable(parts.group(4)).map(Integer::valueOf));
    }

    private static InvalidRequestException refused(String url) {
        return new InvalidRequestException(
                Secrets.scheme(url)
                        + " is not the address of a Redis Cluster. Write redis-cluster://host1:6379,host2:6379, or rediss-cluster: with TLS; a"
                        + " user and a password stand once, before all hosts, as in redis-cluster://user:password@host1:6379,host2:6379, with"
                        + " special characters percent-encoded; and ?partitions=128 at the end, if the applications don't use 64.");
    }

    /** The nodes as one URL again, for people: without passwords if they have none. */
    static String of(List<String> urls, Optional<Integer> partitions) {
        String scheme = urls.get(0).substring(0, urls.get(0).indexOf(':'));
        String end = partitions.map(count -> "?partitions=" + count).orElse("");
        return urls.stream()
                .map(url -> url.substring(url.indexOf("//") + 2).replaceFirst("/0?$", ""))
                .collect(Collectors.joining(",", scheme + "-cluster://", end));
    }
}
