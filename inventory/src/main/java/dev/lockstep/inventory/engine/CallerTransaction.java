package dev.lockstep.inventory.engine;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether the calling thread is inside a transaction of Spring's on the same DataSource. Then a command needs a second
 * connection of the pool while the caller keeps the first: with as many such callers as connections, none gets one.
 */
final class CallerTransaction {
    private static final String SPRING = "org.springframework.transaction.support.TransactionSynchronizationManager";
    private static final @Nullable MethodHandle HAS_RESOURCE = find();

    private final DataSource dataSource;

    CallerTransaction(DataSource dataSource) {
        this.dataSource = dataSource;
    }

    /** Without Spring on the class path there is nothing to find. */
    private static @Nullable MethodHandle find() {
        try {
            Class<?> manager = Class.forName(SPRING, true, CallerTransaction.class.getClassLoader());
            return MethodHandles.publicLookup()
                    .findStatic(manager, "hasResource", MethodType.methodType(boolean.class, Object.class));
        } catch (ReflectiveOperationException | LinkageError e) {
            return null;
        }
    }

    boolean isOpen() {
        if (HAS_RESOURCE == null) {
            return false;
        }
        try {
            return (boolean) HAS_RESOURCE.invokeExact((Object) dataSource);
        } catch (Throwable e) { // only a warning depends on it
            return false;
        }
    }
}
