package dev.lockstep.benchmarks.inventory;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** How often each kind of statement was run, and how long it took in all. */
final class StatementTimes {
    /** Sees one kind of statement. */
    @FunctionalInterface
    interface Reader {
        void read(String what, long calls, long nanos);
    }

    private record Total(LongAdder calls, LongAdder nanos) {}

    private final Map<String, Total> totals = new ConcurrentHashMap<>();

    void forEach(Reader reader) {
        new TreeMap<>(totals)
                .forEach((what, total) ->
                        reader.read(what, total.calls().sum(), total.nanos().sum()));
    }

    /** The same connections, with a stopwatch. */
    DataSource watch(DataSource pool) {
        return proxy(DataSource.class, (self, method, args) -> {
            if (!method.getName().equals("getConnection")) {
                return call(pool, method, args);
            }
            return watch((Connection) timed("connection from the pool", pool, method, args));
        });
    }

    private Connection watch(Connection connection) {
        return proxy(Connection.class, (self, method, args) -> switch (method.getName()) {
            case "commit", "rollback" -> timed(method.getName(), connection, method, args);
            case "prepareStatement" ->
                watch((PreparedStatement) call(connection, method, args), kind(args[0].toString()));
            case "createStatement" -> watch((Statement) call(connection, method, args));
            default -> call(connection, method, args);
        });
    }

    /** One whose text comes with the call. */
    private Statement watch(Statement statement) {
        return proxy(
                Statement.class,
                (self, method, args) -> method.getName().startsWith("execute") && args != null
                        ? timed(kind(args[0].toString()), statement, method, args)
                        : call(statement, method, args));
    }

    private PreparedStatement watch(PreparedStatement statement, String kind) {
        return proxy(
                PreparedStatement.class,
                (self, method, args) -> method.getName().startsWith("execute")
                        ? timed(kind, statement, method, args)
                        : call(statement, method, args));
    }

    /** Its first word, its table, and whether it locks. */
    static String kind(String sql) {
        String words = sql.strip().replaceAll("\\s+", " ");
        String verb = words.replaceFirst(" .*", "");
        String table = words.replaceFirst("^.*?(inventory_\\w+).*$", "$1");
        return verb + " " + (table.equals(words) ? "" : table) + (words.endsWith("FOR UPDATE") ? " FOR UPDATE" : "");
    }

    private Object timed(String what, Object target, Method method, Object @Nullable [] args) throws Throwable {
        long start = System.nanoTime();
        try {
            return call(target, method, args);
        } finally {
            Total total = totals.computeIfAbsent(what, any -> new Total(new LongAdder(), new LongAdder()));
            total.calls().increment();
            total.nanos().add(System.nanoTime() - start);
        }
    }

    private static Object call(Object target, Method method, Object @Nullable [] args) throws Throwable {
        try {
            return method.invoke(target, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}
