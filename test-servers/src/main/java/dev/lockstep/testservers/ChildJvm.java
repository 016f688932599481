package dev.lockstep.testservers;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Another JVM with this one's class path. It receives its orders line by line, and replies with the lines that it prints; its
 * error stream is this JVM's. It ends when it is closed, when this JVM has ended, and after five minutes (two hours in a long run).
 */
public final class ChildJvm implements AutoCloseable {
    static final Duration LIFETIME = Duration.ofMinutes(Scale.pick(5, 120));

    private final Process process;
    private final PrintWriter orders;
    private final Lines answers;
    private @Nullable Standstill standstill;

    private ChildJvm(Process process) {
        this.process = process;
        orders = new PrintWriter(process.outputWriter(StandardCharsets.UTF_8), true);
        answers = Lines.of(process.inputReader(StandardCharsets.UTF_8));
    }

    /** Starts a JVM that runs the main method of a class, public or not. The properties {@code lockstep.*} are passed on. */
    public static ChildJvm start(Class<?> main, String... arguments) throws IOException {
        ServerCommand command = ServerCommand.of(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path")))
                .with(properties())
                .with(
                        ChildMain.class.getName(),
                        Long.toString(ProcessHandle.current().pid()),
                        main.getName())
                .with(arguments);
        return new ChildJvm(new ProcessBuilder(command.words())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    private static List<String> properties() {
        Stream<String> names = System.getProperties().stringPropertyNames().stream();
        return names.filter(name -> name.startsWith("lockstep.") || name.startsWith("logback."))
                .map(name -> "-D" + name + "=" + System.getProperty(name))
                .toList();
    }

    public long pid() {
        return process.pid();
    }

    /** Gives it a line, without waiting for the answer. */
    public void tell(String line) {
        orders.println(line);
    }

    /** Gives it a line and waits for the answer. */
    public String ask(String line) throws IOException {
        tell(line);
        return answer();
    }

    /** The next line that it prints, for which it has as long as it lives. */
    public String answer() throws IOException {
        return answer(LIFETIME);
    }

    /** The next line that it prints. Fails when it ends before, or takes longer. */
    public String answer(Duration atMost) throws IOException {
        try {
            return answers.next(atMost).orElseThrow(() -> new IOException("the child ended without printing a line"));
        } catch (TimeoutException e) {
            throw new IOException("the child printed no line within " + atMost, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while waiting for the child's answer");
        }
    }

    /** Ends it as kill -9 does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Waits for its end: 137 when it was killed. */
    public int exitCode() {
        return process.onExit().join().exitValue();
    }

    /** Makes it stand still, as SIGSTOP does, until {@link #goOn}. */
    public void stop() {
        if (standstill == null) {
            standstill = Standstill.of(pid());
        }
    }

    public void goOn() {
        if (standstill != null) {
            standstill.close();
            standstill = null;
        }
    }

    @Override
    public void close() {
        kill();
        goOn();
    }

    /** What a child does with the words of a line. */
    @FunctionalInterface
    public interface Orders {
        String answer(String[] words) throws Exception;
    }

    /** For the main method of the child: answers each line until there are no more. An exception is answered as its text. */
    public static void obey(Orders orders) throws IOException {
        ChildMain.obey(orders);
    }
}
