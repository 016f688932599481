package dev.lockstep.inventory.sql;

import dev.lockstep.core.InvalidRequestException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** What stands before the names of the tables, their constraints and their indexes, so that they don't meet those of the shop. */
public final class TablePrefix {
    public static final TablePrefix NONE = new TablePrefix("");

    private static final Pattern VALID = Pattern.compile("[a-z][a-z0-9_]{0,19}");
    private static final Pattern NAMES = Pattern.compile("\\binventory_(location|transaction|reservation|change|feed)");

    private final String prefix;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    private TablePrefix(String prefix) {
        this.prefix = prefix;
    }

    public static TablePrefix of(String prefix) {
        if (!VALID.matcher(prefix).matches()) {
            throw new InvalidRequestException("The table prefix is '" + prefix
                    + "', but must be 1 to 20 of a-z, 0-9 and _, and begin with a letter, such as shop_.");
        }
        return new TablePrefix(prefix);
    }

    /** The same SQL with the prefix at all names. */
    public String in(String sql) {
        return prefix.isEmpty() ? sql : NAMES.matcher(sql).replaceAll(prefix + "inventory_$1");
    }

    /** The same connection, for SQL without the prefix. */
    public Connection on(Connection connection) {
        return prefix.isEmpty() ? connection : translated(Connection.class, connection);
    }

    private <T> T translated(Class<T> type, T real) {
        return type.cast(Proxy.newProxyInstance(
                TablePrefix.class.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Object @Nullable [] passed = arguments;
                    if (passed != null && passed.length > 0 && passed[0] instanceof String sql) {
                        passed = passed.clone();
                        passed[0] = real instanceof Connection ? known.computeIfAbsent(sql, this::in) : head(sql);
                    }
                    try {
                        @Nullable Object result = method.invoke(real, passed);
                        boolean plain = result instanceof Statement && !(result instanceof PreparedStatement);
                        return plain ? translated(Statement.class, (Statement) result) : result;
                    } catch (InvocationTargetException e) {
                        throw Objects.requireNonNullElse(e.getCause(), e);
                    }
                }));
    }

    /** A statement that isn't prepared has values in it, which stay as they are. */
    private String head(String sql) {
        int values = sql.indexOf(" VALUES ");
        return values < 0 ? in(sql) : in(sql.substring(0, values)) + sql.substring(values);
    }
}
