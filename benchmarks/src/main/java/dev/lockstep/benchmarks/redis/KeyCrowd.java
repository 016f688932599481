package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.WaitTimes;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Processes whose threads all want one key of one Redis. */
final class KeyCrowd implements AutoCloseable {
    static final String LOCKSTEP = "lockstep";
    static final String LOCK = "lock";
    static final String FAIR_LOCK = "fair-lock";
    private static final Duration GRACE = Duration.ofMinutes(2);

    /** Who is asked for the key, how long before waits count, and how long they do. */
    record Order(String who, long startUpMillis, long millis) {
        static Order parse(String line) {
            String[] words = line.split(" ", -1);
            return new Order(words[0], Long.parseLong(words[1]), Long.parseLong(words[2]));
        }

        @Override
        public String toString() {
            return who + " " + startUpMillis + " " + millis;
        }
    }

    private final ExecutorService reader = Executors.newSingleThreadExecutor();
    private final List<Process> members = new ArrayList<>();
    private final List<BufferedReader> answers = new ArrayList<>();

    private KeyCrowd() {}

    static KeyCrowd start(String url, int processes, int waiters) throws Exception {
        KeyCrowd crowd = new KeyCrowd();
        try {
            for (int i = 0; i < processes; i++) {
                Process member = process(url, waiters);
                crowd.members.add(member);
                crowd.answers.add(member.inputReader(StandardCharsets.UTF_8));
            }
            crowd.answers(GRACE);
            return crowd;
        } catch (Exception e) {
            crowd.close();
            throw e;
        }
    }

    private static Process process(String url, int waiters) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1"));
        Optional.ofNullable(System.getProperty("logback.configurationFile"))
                .ifPresent(file -> command.add("-Dlogback.configurationFile=" + file));
        Stream.of("-cp", System.getProperty("java.class.path"), CrowdMember.class.getName(), url, "" + waiters)
                .forEach(command::add);
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Lets all of them wait at once; answers the waits of all that began after the start-up. */
    WaitTimes wait(Order order) throws Exception {
        for (Process member : members) {
            member.outputWriter(StandardCharsets.UTF_8).append(order + "\n").flush();
        }
        WaitTimes waits = new WaitTimes();
        for (String line : answers(GRACE.plusMillis(order.startUpMillis() + order.millis()))) {
            Stream.of(line.split(" ", -1))
                    .filter(number -> !number.isEmpty())
                    .map(Long::valueOf)
                    .forEach(waits::add);
        }
        return waits;
    }

    /** A line of each. */
    private List<String> answers(Duration limit) throws IOException, InterruptedException, TimeoutException {
        Future<List<String>> lines = reader.submit(() -> {
            List<String> each = new ArrayList<>();
            for (BufferedReader answer : answers) {
                each.add(Optional.ofNullable(answer.readLine())
                        .orElseThrow(() -> new IOException("a process ended early; what it said is above")));
            }
            return each;
        });
        try {
            return lines.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            throw new IOException("the processes that should wait failed", e.getCause());
        }
    }

    @Override
    public void close() {
        members.forEach(Process::destroyForcibly);
        reader.shutdownNow();
    }
}
