package dev.lockstep.redis;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Writes what an administrator has to write for the store's user.
 *
 * @param user its name
 */
record AclRule(String user, Namespace namespace) {
    /** What the store sends, what its scripts use, and what both listeners and people need. */
    static final List<String> COMMANDS = List.of(
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
            "ping");

    /** A user that may do all that the store needs, and nothing else. */
    String whole() {
        return "ACL SETUSER " + user + " on >password " + keys() + " resetchannels " + channels() + " "
                + allow(COMMANDS);
    }

    /** Adds something to the user. */
    String adding(String rules) {
        return "ACL SETUSER " + user + " " + rules;
    }

    String keys() {
        return "~" + namespace.memory() + "*";
    }

    String channels() {
        return "&" + namespace.memory() + "*";
    }

    static String allow(Collection<String> commands) {
        return commands.stream()
                .map(command -> "+" + command.toLowerCase(Locale.ROOT))
                .collect(Collectors.joining(" "));
    }
}
