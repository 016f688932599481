package dev.lockstep.chaos;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.locks.ReentrantLock;

/** What one process saw, in its own file. Each line is with the operating system when {@link #add} returns: a kill -9 loses none. */
final class History implements AutoCloseable {
    static final String SUFFIX = ".history";

    private final OutputStream file;
    private final ReentrantLock lock = new ReentrantLock();

    private History(OutputStream file) {
        this.file = file;
    }

    static History in(Path directory, String name) {
        try {
            return new History(Files.newOutputStream(directory.resolve(name + SUFFIX), StandardOpenOption.CREATE_NEW));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Something that happens now. */
    void now(String verb, Object... pairs) {
        add(HistoryLine.of(System.nanoTime(), verb, pairs));
    }

    void add(HistoryLine line) {
        byte[] bytes = (line + "\n").getBytes(StandardCharsets.UTF_8);
        lock.lock();
        try {
            file.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
