package dev.lockstep.coretests;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockKey;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testkit.Tenancy;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;

/** A process that works on one key under an operating system's file lock or, when told so, under no lock at all. */
final class ExclusionChild {
    static final LockKey KEY = Tenancy.user("u1");
    private static final Duration WORK = Duration.ofMillis(400);
    private static final int SECTIONS = 1_000;

    private ExclusionChild() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        boolean locks = Boolean.parseBoolean(args[1]);
        String name = args[2];
        Files.createFile(directory.resolve(name + ".ready"));
        while (!Files.exists(directory.resolve("go"))) {
            Thread.sleep(1);
        }
        try (ExclusionChecker checker = ExclusionChecker.in(directory);
                FileChannel file = FileChannel.open(
                        directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            work(checker, file, locks, name);
            Files.createFile(directory.resolve(name + ".working"));
            while (!both(directory, "working")) {
                work(checker, file, locks, name);
            }
            long end = System.nanoTime() + WORK.toNanos();
            for (int sections = 0; sections < SECTIONS || System.nanoTime() - end < 0; sections++) {
                work(checker, file, locks, name);
            }
            Files.createFile(directory.resolve(name + ".done"));
            while (!both(directory, "done")) {
                work(checker, file, locks, name);
            }
        }
    }

    /** What is done before the other has begun, or after it has ended, meets no other work. */
    private static boolean both(Path directory, String step) {
        return Files.exists(directory.resolve("one." + step)) && Files.exists(directory.resolve("two." + step));
    }

    private static void work(ExclusionChecker checker, FileChannel file, boolean locks, String name)
            throws IOException {
        FileLock lock = locks ? file.lock() : null;
        try {
            checker.exclusive(KEY, new FencingToken(0, System.nanoTime()), name);
        } finally {
            if (lock != null) {
                lock.release();
            }
        }
    }
}
