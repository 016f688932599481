package dev.lockstep.spring.autoconfigure;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** Opens something and checks it; closes it again if the check fails. */
final class CheckedOpening {
    private CheckedOpening() {}

    static <T extends AutoCloseable> T checked(T opened, Consumer<T> check) {
        try {
            check.accept(opened);
            return opened;
        } catch (Throwable e) {
            close(opened, e);
            throw e;
        }
    }

    /** What is made of something opened, which is closed if it can't be made. */
    static <T> T handedOn(AutoCloseable opened, Supplier<T> made) {
        try {
            return made.get();
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
