package org.springframework.transaction.support;

import java.util.HashSet;
import java.util.Set;

/** Stands in for Spring's class of this name, of which the inventory calls one method if it is there. */
public final class TransactionSynchronizationManager {
    private static final ThreadLocal<Set<Object>> RESOURCES = ThreadLocal.withInitial(HashSet::new);

    private TransactionSynchronizationManager() {}

    /** Whether a transaction of this thread uses the resource. */
    public static boolean hasResource(Object key) {
        return RESOURCES.get().contains(key);
    }

    /** Begins a transaction. */
    public static void bindResource(Object key) {
        RESOURCES.get().add(key);
    }

    /** Ends a transaction. */
    public static void unbindResource(Object key) {
        RESOURCES.get().remove(key);
    }
}
