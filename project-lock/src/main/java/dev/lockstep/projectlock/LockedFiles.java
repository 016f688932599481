package dev.lockstep.projectlock;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;

/**
 * Lease files whose transactions hold an operating system's lock on {@code .lock.guard}, which kill -9 frees. The guard is
 * never read and never deleted. In this JVM a mutex comes first: a second lock by the same process would fail, and closing
 * its channel would give the first one away.
 */
final class LockedFiles implements LeaseFiles {
    private static final String TEMPORARY = ".lock.tmp";

    private final Path project;
    private final Path guard;
    private final SafeFile safe;
    private final Steps steps;

    LockedFiles(Path project, SafeFile safe, Steps steps) {
        this.project = project;
        this.guard = project.resolve(GuardedDirectory.GUARD);
        this.safe = safe;
        this.steps = steps;
    }

    @Override
    public <T> T transact(GuardWait wait, Transaction<T> transaction) throws IOException, GuardBusyException {
        String mutex = "mutex " + FileKeys.of(project);
        UUID turn = UUID.randomUUID();
        while (!JvmSharedState.take(mutex, turn)) {
            wait.pause(guard.toString());
        }
        try {
            return underGuard(wait, transaction);
        } finally {
            JvmSharedState.free(mutex, turn);
        }
    }

    /** Locks the guard, again if it was removed meanwhile: others would lock a new one. */
    private <T> T underGuard(GuardWait wait, Transaction<T> transaction) throws IOException, GuardBusyException {
        while (true) {
            Optional<String> before = FileKeys.ifPresent(guard);
            steps.before("open the guard");
            try (FileChannel channel = FileChannel.open(guard, CREATE, WRITE, NOFOLLOW_LINKS)) {
                lock(channel, wait);
                if (before.isPresent() && before.equals(FileKeys.ifPresent(guard))) {
                    return run(transaction);
                }
            }
        }
    }

    private void lock(FileChannel channel, GuardWait wait) throws IOException, GuardBusyException {
        FileLock lock = channel.tryLock();
        while (lock == null) {
            wait.pause(guard.toString());
            lock = channel.tryLock();
        }
    }

    private <T> T run(Transaction<T> transaction) throws IOException {
        steps.before("begin");
        Directory page = new Directory();
        T result = transaction.run(page);
        if (page.changed) {
            safe.sync(project);
        }
        steps.before("free the guard");
        return result;
    }

    /** The files themselves. The temporary needs no other name: under the guard there is one writer. */
    private final class Directory implements Page {
        private boolean changed;

        @Override
        public Optional<String> read(String name) throws IOException {
            return safe.read(project.resolve(name));
        }

        @Override
        public void write(String name, String text) throws IOException {
            changed = true;
            safe.replace(project.resolve(name), project.resolve(TEMPORARY), text);
        }

        @Override
        public void delete(String name) throws IOException {
            changed = true;
            safe.delete(project.resolve(name));
        }
    }
}
