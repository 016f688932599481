package dev.lockstep.testkit;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/** The sections of a few threads on their way to the file; full ones are written out as a whole. */
final class SectionBuffer {
    static final int EXCLUSIVE = 1;
    static final int SHARED = 2;
    static final int TORN = 3;
    static final int EXCLUSIVE_UNCOUNTED = 4;
    private static final int FULL = 32 * 1024;

    private final Consumer<byte[]> file;
    private final ReentrantLock lock = new ReentrantLock();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream data = new DataOutputStream(bytes);

    SectionBuffer(Consumer<byte[]> file) {
        this.file = file;
    }

    private interface Writing {
        void to(DataOutputStream data) throws IOException;
    }

    void append(Section section) {
        append(section, section.exclusive() ? EXCLUSIVE : SHARED);
    }

    void appendUncounted(Section section) {
        append(section, section.exclusive() ? EXCLUSIVE_UNCOUNTED : SHARED);
    }

    private void append(Section section, int tag) {
        write(out -> {
            out.writeByte(tag);
            out.writeUTF(section.key());
            out.writeUTF(section.owner());
            out.writeLong(section.enter());
            out.writeLong(section.exit());
            out.writeLong(section.token().epoch());
            out.writeLong(section.token().value());
        });
    }

    void torn(String key) {
        write(out -> {
            out.writeByte(TORN);
            out.writeUTF(key);
        });
    }

    private void write(Writing writing) {
        lock.lock();
        try {
            writing.to(data);
            if (bytes.size() >= FULL) {
                writeOut();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            lock.unlock();
        }
    }

    void flush() {
        lock.lock();
        try {
            writeOut();
        } finally {
            lock.unlock();
        }
    }

    private void writeOut() {
        file.accept(bytes.toByteArray());
        bytes.reset();
    }
}
