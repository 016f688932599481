package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** {@code lockstep serve} in a process of its own, in a folder of its own. */
final class ServeProcess implements AutoCloseable {
    private static final Pattern READY = Pattern.compile("Lockstep is ready: (http://\\S+/)");
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Process process;
    private final Path out;
    private final Path err;

    private ServeProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts it there, on a free port of loopback unless the arguments say otherwise. What it says goes to files beside the folder. */
    static ServeProcess start(Path folder, String... args) throws IOException {
        Path out = Files.createTempFile(folder.getParent(), "serve", ".out");
        Path err = Files.createTempFile(folder.getParent(), "serve", ".err");
        String[] port = List.of(args).contains("--port") ? new String[0] : new String[] {"--port", "0"};
        String[] words = Stream.of(new String[] {"serve"}, port, args)
                .flatMap(Stream::of)
                .toArray(String[]::new);
        Process process = new ProcessBuilder(CommandProcess.command(words))
                .directory(folder.toFile())
                .redirectInput(new File("/dev/null"))
                .redirectOutput(out.toFile())
                .redirectError(err.toFile())
                .start();
        return new ServeProcess(process, out, err);
    }

    /** Waits until it is ready, and answers the address of its page. */
    URI ready() throws IOException {
        Awaitility.await()
                .atMost(PATIENCE)
                .until(() -> !process.isAlive() || READY.matcher(out()).find());
        Matcher said = READY.matcher(out());
        assertThat(said.find()).as(out() + err()).isTrue();
        return URI.create(said.group(1));
    }

    HttpResponse<String> get(String path) throws Exception {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(ready().resolve(path)).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String json) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(ready().resolve(path))
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
    }

    /** As Ctrl-C does it. */
    void interrupt() throws Exception {
        assertThat(new ProcessBuilder("kill", "-INT", Long.toString(process.pid()))
                        .start()
                        .waitFor())
                .isZero();
    }

    /** As kill -9 does it. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Waits for its end. */
    Run ended() throws Exception {
        assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                .as(out() + err())
                .isTrue();
        return new Run(process.exitValue(), out(), err());
    }

    private String out() throws IOException {
        return Files.readString(out);
    }

    private String err() throws IOException {
        return Files.readString(err);
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
