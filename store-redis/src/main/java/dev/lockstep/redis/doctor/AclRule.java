package dev.lockstep.redis.doctor;

import dev.lockstep.redis.connection.Namespace;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Writes what an administrator has to write for the store's user.
 *
 * @param user its name
 * @param prefix what all keys and channels of the namespace begin with
 * @param more commands that only a cluster needs
 */
public record AclRule(String user, String prefix, List<String> more) {
    /** What the store sends, what its scripts use, and what both listeners and people need. */
    public static final List<String> COMMANDS = List.of(
            "eval",
            "evalsha",
            "time",
            "info",
            "exists",
            "hget",
            "hmget",
            "hlen",
            "hgetall",
            "hscan",
            "hset",
            "hdel",
            "hincrby",
            "zadd",
            "zrem",
            "zrange",
            "zrank",
            "sadd",
            "srem",
            "smembers",
            "publish",
            "subscribe",
            "unsubscribe",
            "ping",
            "client|setname");

    public AclRule(String user, Namespace namespace) {
        this(user, namespace.memory(), List.of());
    }

    /** For a store on a cluster. */
    public static AclRule ofCluster(String user, Namespace namespace) {
        return new AclRule(user, namespace.partitionPrefix(), List.of("cluster|slots"));
    }

    /** A user that may do all that the store needs, and nothing else. */
    public String whole() {
        return "ACL SETUSER " + user + " on >password " + keys() + " resetchannels " + channels() + " "
                + allow(Stream.concat(COMMANDS.stream(), more.stream()).toList());
    }

    /** Adds something to the user. */
    public String adding(String rules) {
        return "ACL SETUSER " + user + " " + rules;
    }

    public String keys() {
        return "~" + prefix + "*";
    }

    public String channels() {
        return "&" + prefix + "*";
    }

    public static String allow(Collection<String> commands) {
        return commands.stream()
                .map(command -> "+" + command.toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
    }
}
