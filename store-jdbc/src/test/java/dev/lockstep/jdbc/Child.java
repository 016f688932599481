package dev.lockstep.jdbc;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testkit.Tenancy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Another JVM with locks of its own on the same database. It does what it is told, line by line, and answers each line. */
final class Child implements AutoCloseable {
    private static final int LIFETIME_SECONDS = 300;

    private final Process process;
    private final PrintWriter commands;
    private final BufferedReader answers;

    private Child(Process process) {
        this.process = process;
        commands = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        answers = process.inputReader(StandardCharsets.UTF_8);
    }

    static Child on(LockDatabase database, Duration term) throws IOException {
        List<String> command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile", ""),
                "-Dlockstep.scale=" + System.getProperty("lockstep.scale", "default"),
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                database.server().name(),
                database.database().jdbcUrl(),
                database.database().user(),
                database.database().password(),
                term.toString());
        return new Child(new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    // ---- the parent's side

    /** Takes the exclusive lock of a user. */
    void tellToHold(String user) {
        commands.println("hold " + user);
    }

    void tellToCross(Path directory, int threads, int acquisitions, long seed) {
        commands.println("cross " + directory + " " + threads + " " + acquisitions + " " + seed);
    }

    String ask(String command) throws IOException {
        commands.println(command);
        return answer();
    }

    /** The answer to the next command; the child ends when it takes for ever. */
    String answer() throws IOException {
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the child ended without an answer");
        }
        return answer;
    }

    /** Ends it as kill -9 does. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    void stop() throws IOException, InterruptedException {
        signal("STOP");
    }

    void goOn() throws IOException, InterruptedException {
        signal("CONT");
    }

    private void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .inheritIO()
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        kill();
    }

    // ---- the child's side

    private static @Nullable Lease lease;

    public static void main(String[] args) throws IOException {
        Thread end = new Thread(Child::endLater, "end");
        end.setDaemon(true);
        end.start();
        DriverManagerDataSource dataSource = new DriverManagerDataSource(args[1], args[2], args[3]);
        Locks locks = Locks.builder(Server.valueOf(args[0]).store(dataSource, 16))
                .defaultTerm(Duration.parse(args[4]))
                .defaultWait(Duration.ofSeconds(60))
                .build();
        try (locks;
                BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                System.out.println(done(line.split(" "), locks));
            }
        }
    }

    /** A child that hangs must not hang the test. */
    private static void endLater() {
        try {
            TimeUnit.SECONDS.sleep(Scale.pick(LIFETIME_SECONDS, 24 * LIFETIME_SECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(3);
    }

    private static String done(String[] words, Locks locks) {
        try {
            return switch (words[0]) {
                case "hold" -> hold(LockRequest.exclusive(Tenancy.user(words[1])), locks);
                case "loss" ->
                    held().lost()
                            .toCompletableFuture()
                            .get(60, TimeUnit.SECONDS)
                            .reason()
                            .name();
                case "release" -> held().release().name();
                case "cross" -> cross(words, locks);
                case "close" -> close(locks);
                default -> "unknown command " + words[0];
            };
        } catch (Exception e) {
            e.printStackTrace();
            return e.toString().replace('\n', ' ');
        }
    }

    private static String hold(LockRequest request, Locks locks) {
        lease = locks.acquire(request);
        return "held";
    }

    private static Lease held() {
        if (lease == null) {
            throw new IllegalStateException("nothing is held");
        }
        return lease;
    }

    private static String close(Locks locks) {
        locks.close();
        return "closed";
    }

    private static String cross(String[] words, Locks locks) throws Exception {
        try (ExclusionChecker checker = ExclusionChecker.in(Path.of(words[1]))) {
            int threads = Integer.parseInt(words[2]);
            int acquisitions = Integer.parseInt(words[3]);
            new CrossingWork(locks, checker).run(threads, acquisitions, Long.parseLong(words[4]));
            return "crossed";
        }
    }
}
