package dev.lockstep.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The lines of a stream, for which one needn't wait forever. */
final class Lines {
    private final BlockingQueue<Optional<String>> read = new LinkedBlockingQueue<>();

    private Lines() {}

    static Lines of(BufferedReader stream) {
        Lines lines = new Lines();
        Thread reader = new Thread(() -> lines.readAll(stream), "lines");
        reader.setDaemon(true);
        reader.start();
        return lines;
    }

    private void readAll(BufferedReader stream) {
        try (stream) {
            stream.lines().forEach(line -> read.add(Optional.of(line)));
        } catch (IOException | UncheckedIOException e) {
            // Of a process that was killed: the stream is at its end.
        } finally {
            read.add(Optional.empty());
        }
    }

    /** The next line; empty at the end of the stream. Fails if neither comes in time. */
    Optional<String> next(Duration atMost) throws InterruptedException, TimeoutException {
        Optional<String> line = read.poll(atMost.toMillis(), TimeUnit.MILLISECONDS);
        if (line == null) {
            throw new TimeoutException("no line within " + atMost);
        }
        if (line.isEmpty()) {
            read.add(line); // the end stays the end
        }
        return line;
    }
}
