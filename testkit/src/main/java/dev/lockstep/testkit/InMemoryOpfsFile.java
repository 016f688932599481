package dev.lockstep.testkit;

import dev.lockstep.projectlock.GuardWait;
import dev.lockstep.projectlock.LeaseFiles;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The file {@code .lock} of a project, and the one beside it, in memory. Several project locks may share one, as if they ran on
 * one machine. A test puts in what it likes, and lets reads, writes and deletions fail.
 */
public final class InMemoryOpfsFile implements LeaseFiles {
    private final ReentrantLock guard = new ReentrantLock();
    private final Map<String, String> texts = new ConcurrentHashMap<>();
    private final AtomicReference<@Nullable IOException> readFault = new AtomicReference<>();
    private final AtomicReference<@Nullable IOException> writeFault = new AtomicReference<>();
    private final AtomicReference<@Nullable IOException> deleteFault = new AtomicReference<>();

    /** No file yet. */
    public InMemoryOpfsFile() {}

    /** The text of {@code .lock}; empty when there is none. */
    public Optional<String> text() {
        return Optional.ofNullable(texts.get(RECORD));
    }

    /** Puts a text into {@code .lock}, whatever it is. */
    public InMemoryOpfsFile holding(String text) {
        texts.put(RECORD, text);
        return this;
    }

    /** Puts another's lease into {@code .lock}. */
    public InMemoryOpfsFile holding(UUID leaseId, Instant expiresAt) {
        return holding("{\"leaseId\":\"" + leaseId + "\",\"expiresAt\":" + expiresAt.toEpochMilli() + "}");
    }

    /** Removes {@code .lock}, as a person might. */
    public InMemoryOpfsFile removed() {
        texts.remove(RECORD);
        return this;
    }

    /** The next read fails. */
    public InMemoryOpfsFile failNextRead(IOException fault) {
        readFault.set(fault);
        return this;
    }

    /** The next write fails. */
    public InMemoryOpfsFile failNextWrite(IOException fault) {
        writeFault.set(fault);
        return this;
    }

    /** The next deletion fails. */
    public InMemoryOpfsFile failNextDelete(IOException fault) {
        deleteFault.set(fault);
        return this;
    }

    @Override
    public <T> T transact(GuardWait wait, Transaction<T> transaction) throws IOException {
        guard.lock();
        try {
            return transaction.run(new Texts());
        } finally {
            guard.unlock();
        }
    }

    private static void failIf(AtomicReference<@Nullable IOException> next) throws IOException {
        IOException fault = next.getAndSet(null);
        if (fault != null) {
            throw fault;
        }
    }

    private final class Texts implements Page {
        @Override
        public Optional<String> read(String name) throws IOException {
            failIf(readFault);
            return Optional.ofNullable(texts.get(name));
        }

        @Override
        public void write(String name, String text) throws IOException {
            failIf(writeFault);
            texts.put(name, text);
        }

        @Override
        public void delete(String name) throws IOException {
            failIf(deleteFault);
            texts.remove(name);
        }
    }
}
