package dev.lockstep.testkit;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One process's log of sections, in one file. Threads write into separate buffers, so that the log doesn't bring about the order
 * that the locks under test are meant to bring about.
 */
final class SectionLog implements AutoCloseable {
    static final String SUFFIX = ".sections";

    private final String process;
    private final OutputStream file;
    private final ReentrantLock fileLock = new ReentrantLock();
    private final SectionBuffer[] buffers = new SectionBuffer[64];
    private final AtomicBoolean closed = new AtomicBoolean();

    private SectionLog(String process, OutputStream file) {
        this.process = process;
        this.file = file;
        for (int i = 0; i < buffers.length; i++) {
            buffers[i] = new SectionBuffer(this::write);
        }
    }

    static SectionLog create(Path directory) throws IOException {
        String process = "process " + ProcessHandle.current().pid();
        OutputStream file = Files.newOutputStream(directory.resolve(UUID.randomUUID() + SUFFIX));
        try {
            new DataOutputStream(file).writeUTF(process);
            return new SectionLog(process, file);
        } catch (IOException e) {
            file.close();
            throw e;
        }
    }

    String process() {
        return process;
    }

    void append(Section section) {
        mine().append(section);
    }

    /** A section that left the key's counter alone. */
    void appendUncounted(Section section) {
        mine().appendUncounted(section);
    }

    void torn(String key) {
        mine().torn(key);
    }

    private SectionBuffer mine() {
        return buffers[(int) (Thread.currentThread().getId() % buffers.length)];
    }

    private void write(byte[] bytes) {
        fileLock.lock();
        try {
            file.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            fileLock.unlock();
        }
    }

    void flush() {
        for (SectionBuffer buffer : buffers) {
            buffer.flush();
        }
    }

    @Override
    public void close() throws IOException {
        if (closed.compareAndSet(false, true)) {
            flush();
            file.close();
        }
    }
}
