package dev.lockstep.testservers;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where a server is, and who may use it.
 *
 * @param kind what it is
 * @param host its name or address
 * @param port its TCP port
 * @param user may be empty
 * @param password may be empty
 * @param database the one to begin with
 * @param params what a JDBC URL says after the question mark, without user and password
 */
public record Endpoint(
        ServerKind kind,
        String host,
        int port,
        String user,
        String password,
        String database,
        Map<String, String> params) {

    public Endpoint {
        params = Map.copyOf(params);
    }

    Endpoint through(TcpProxy proxy) {
        return new Endpoint(kind, proxy.host(), proxy.port(), user, password, database, params);
    }

    String jdbcUrl(String name, Map<String, String> more) {
        Map<String, String> all = new TreeMap<>(params);
        all.putAll(more);
        String query = all.entrySet().stream()
                .map(param -> encoded(param.getKey()) + "=" + encoded(param.getValue()))
                .collect(Collectors.joining("&"));
        return kind.jdbcPrefix() + address() + "/" + name + (query.isEmpty() ? "" : "?" + query);
    }

    String redisUrl() {
        if (!kind.isRedis()) {
            throw new UnsupportedOperationException(kind + " has no Redis URL: use jdbcUrl()");
        }
        String credentials = password.isEmpty() ? "" : encoded(user) + ":" + encoded(password) + "@";
        return "redis://" + credentials + address() + "/" + database;
    }

    private String address() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
