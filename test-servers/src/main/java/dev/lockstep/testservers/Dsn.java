package dev.lockstep.testservers;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what an environment variable says about a server. Errors never show the text: there is a password in it. */
final class Dsn {
    private static final Pattern GO = Pattern.compile(
            "(?:(?<user>[^:@]*)(?::(?<password>.*))?@)?tcp\\((?<host>\\[[^]]+]|[^:()]+)(?::(?<port>\\d+))?\\)"
                    + "/(?<database>[^/?]*)(?:\\?.*)?");

    private final ServerKind kind;

    private Dsn(ServerKind kind) {
        this.kind = kind;
    }

    static Endpoint parse(ServerKind kind, String text) {
        return new Dsn(kind).parse(text.strip());
    }

    private Endpoint parse(String text) {
        Matcher go = GO.matcher(text);
        if (isMysqlLike() && go.matches()) {
            return fromGo(go);
        }
        for (String prefix : prefixes()) {
            if (text.startsWith(prefix)) {
                return fromUrl(text.substring(prefix.length()));
            }
        }
        throw error("its form is unknown");
    }

    /** Its parameters are for the Go driver: {@code parseTime} and the like mean nothing to JDBC. */
    private Endpoint fromGo(Matcher go) {
        return endpoint(
                go.group("host"),
                go.group("port") == null ? defaultPort() : Integer.parseInt(go.group("port")),
                go.group("user") == null ? "" : go.group("user"),
                go.group("password") == null ? "" : go.group("password"),
                go.group("database"),
                kind.params());
    }

    private Endpoint fromUrl(String rest) {
        URI uri = uri(rest);
        Map<String, String> params = params(uri.getRawQuery());
        String[] userInfo = (uri.getRawUserInfo() == null ? "" : uri.getRawUserInfo()).split(":", 2);
        String user = params.remove("user");
        String password = params.remove("password");
        String path = uri.getPath() == null ? "" : uri.getPath();
        return endpoint(
                uri.getHost() == null ? "" : uri.getHost(),
                uri.getPort() < 0 ? defaultPort() : uri.getPort(),
                user != null ? user : decoded(userInfo[0]),
                password != null ? password : userInfo.length < 2 ? "" : decoded(userInfo[1]),
                path.startsWith("/") ? path.substring(1) : path,
                params);
    }

    private URI uri(String rest) {
        try {
            return URI.create("any://" + rest);
        } catch (IllegalArgumentException e) {
            throw error("it is no URL; special characters must be written as %XX");
        }
    }

    private Endpoint endpoint(
            String host, int port, String user, String password, String database, Map<String, String> params) {
        if (host.isEmpty()) {
            throw error("it names no host");
        }
        if (port < 1 || port > 65_535) {
            throw error("its port is not between 1 and 65535");
        }
        if (database.isEmpty() && !kind.isRedis()) {
            throw error("it names no database");
        }
        String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
        return new Endpoint(kind, bare, port, user, password, database.isEmpty() ? "0" : database, params);
    }

    private Map<String, String> params(@Nullable String query) {
        Map<String, String> params = new LinkedHashMap<>();
        for (String pair : (query == null ? "" : query).split("&", -1)) {
            String[] parts = pair.split("=", 2);
            if (!pair.isEmpty()) {
                params.put(decoded(parts[0]), parts.length < 2 ? "" : decoded(parts[1]));
            }
        }
        return params;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private boolean isMysqlLike() {
        return kind == ServerKind.MYSQL || kind == ServerKind.MARIADB;
    }

    private String[] prefixes() {
        return switch (kind) {
            case MYSQL, MARIADB -> new String[] {kind.jdbcPrefix()};
            case POSTGRES -> new String[] {kind.jdbcPrefix(), "postgres://", "postgresql://"};
            case REDIS, REDIS_7 -> new String[] {"redis://"};
        };
    }

    private int defaultPort() {
        return switch (kind) {
            case MYSQL, MARIADB -> 3306;
            case POSTGRES -> 5432;
            case REDIS, REDIS_7 -> 6379;
        };
    }

    private IllegalArgumentException error(String what) {
        String forms = switch (kind) {
            case MYSQL, MARIADB ->
                "user:password@tcp(host:port)/database or " + kind.jdbcPrefix()
                        + "host:port/database?user=...&password=...";
            case POSTGRES ->
                "postgres://user:password@host:port/database or " + kind.jdbcPrefix()
                        + "host:port/database?user=...&password=...";
            case REDIS, REDIS_7 -> "redis://user:password@host:port/0";
        };
        return new IllegalArgumentException("%s can't be used: %s. Write %s".formatted(kind.variable(), what, forms));
    }
}
