package dev.lockstep.spring.autoconfigure;

import java.util.function.Consumer;

/** Hands out what was opened only if it stood a check; else it is closed, whatever went wrong. */
final class OpenedOrClosed {
    private OpenedOrClosed() {}

    static <T extends AutoCloseable> T checked(T opened, Consumer<T> check) {
        try {
            check.accept(opened);
            return opened;
        } catch (Throwable e) {
            close(opened, e);
            throw e;
        }
    }

    private static void close(AutoCloseable opened, Throwable reason) {
        try {
            opened.close();
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            reason.addSuppressed(e);
        }
    }
}
