package dev.lockstep.projectlock;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** Reads a project's record thousands of times a second, and keeps whatever is no record. */
final class RecordReader implements AutoCloseable {
    private static final long PAUSE = TimeUnit.MICROSECONDS.toNanos(200);

    private final Path record;
    private final Thread thread = new Thread(this::readAll, "record-reader");
    private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
    private final AtomicLong records = new AtomicLong();
    private final AtomicLong absences = new AtomicLong();
    private volatile boolean closed;

    private RecordReader(Path project) {
        this.record = project.resolve(LeaseFiles.RECORD);
    }

    static RecordReader of(Path project) {
        RecordReader reader = new RecordReader(project);
        reader.thread.start();
        return reader;
    }

    private void readAll() {
        while (!closed) {
            try {
                read(Files.readString(record));
            } catch (NoSuchFileException e) {
                absences.incrementAndGet();
            } catch (IOException e) {
                wrong.add(e.toString());
            }
            LockSupport.parkNanos(PAUSE); // leaves the processor to those who are watched
        }
    }

    private void read(String text) {
        if (LeaseRecord.parse(text).isPresent()) {
            records.incrementAndGet();
        } else {
            wrong.add("\"" + text + "\"");
        }
    }

    /** How many good records were read. */
    long records() {
        return records.get();
    }

    /** How often there was none. */
    long absences() {
        return absences.get();
    }

    /** What was read and was no record. */
    Queue<String> wrong() {
        return wrong;
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
