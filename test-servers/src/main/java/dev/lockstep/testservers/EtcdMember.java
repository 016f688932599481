package dev.lockstep.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A member of an etcd cluster, which a test may stop, kill and pause. It ends with this JVM at the latest. */
public final class EtcdMember implements AutoCloseable {
    private static final int PEER_OFFSET = 10_000;
    private static final int LIMIT_MILLIS = 5_000;
    private static final Pattern NUMBER = Pattern.compile("\"(leader|member_id)\":\\s*\"(\\d+)\"");

    private static final Pattern VERSION = Pattern.compile("\"etcd-version\":\"([^\"]+)\"");

    private final String name;
    private final int port;
    private final Path directory;
    private final Watchdog watchdog;
    private volatile boolean running;

    private EtcdMember(String name, int port, Path directory, Watchdog watchdog) {
        this.name = name;
        this.port = port;
        this.directory = directory;
        this.watchdog = watchdog;
    }

    /** One that is not started yet; {@code cluster} names all members. */
    static EtcdMember of(String program, String name, int port, String cluster, List<String> options)
            throws IOException {
        Path directory = Files.createTempDirectory("lockstep-etcd-");
        List<String> command = new ArrayList<>(List.of(program, "--name", name));
        command.addAll(List.of("--data-dir", directory.resolve("data").toString()));
        boolean tls = options.contains("--cert-file");
        String client = (tls ? "https" : "http") + "://127.0.0.1:" + port;
        command.addAll(List.of("--listen-client-urls", client, "--advertise-client-urls", client));
        command.addAll(List.of("--listen-peer-urls", peer(port), "--initial-advertise-peer-urls", peer(port)));
        command.addAll(List.of("--initial-cluster", cluster, "--initial-cluster-state", "new"));
        command.addAll(List.of("--logger", "zap"));
        command.addAll(options);
        return new EtcdMember(name, port, directory, Watchdog.over(directory, "KILL", command));
    }

    static String peer(int port) {
        return "http://127.0.0.1:" + (port + PEER_OFFSET);
    }

    /** The version that it logged when it started. */
    public String version() {
        Matcher version = VERSION.matcher(log());
        if (!version.find()) {
            throw new IllegalStateException(this + " logged no version");
        }
        return version.group(1);
    }

    void launch() {
        watchdog.start();
        running = true;
    }

    /** Its address for clients, as {@code 127.0.0.1:2379}. */
    public String address() {
        return host() + ":" + port;
    }

    public String host() {
        return "127.0.0.1";
    }

    /** Its port for clients. */
    public int port() {
        return port;
    }

    /** Where its data and its log are, until it is closed. */
    public Path directory() {
        return directory;
    }

    /** Whether it runs: that ends when it is killed, stopped or paused here. */
    public boolean isRunning() {
        return running;
    }

    /** Kills it, as {@code kill -9} does. The data stays. */
    public void kill() {
        running = false;
        watchdog.kill();
    }

    /** Starts it again with the same data; kills it first if it runs. */
    public void restart() {
        kill();
        launch();
    }

    /** Makes it stand still, as {@code kill -STOP} does. Connections stay open. */
    public void pause() {
        running = false;
        watchdog.pause();
    }

    /** Lets it continue after {@link #pause()}. */
    public void resume() {
        watchdog.resume();
        running = true;
    }

    /** Whether it knows of a leader and answers; its log must say so where clients need TLS. */
    boolean isHealthy() {
        try {
            return ask("/health", "").contains("\"true\"");
        } catch (IOException e) {
            return false;
        }
    }

    /** Whether it says of itself that it leads. */
    public boolean leads() {
        try {
            String status = ask("/v3/maintenance/status", "{}");
            Optional<String> leader = number(status, "leader");
            return leader.isPresent() && leader.equals(number(status, "member_id"));
        } catch (IOException e) {
            return false;
        }
    }

    private static Optional<String> number(String json, String name) {
        Matcher numbers = NUMBER.matcher(json);
        while (numbers.find()) {
            if (numbers.group(1).equals(name)) {
                return Optional.of(numbers.group(2));
            }
        }
        return Optional.empty();
    }

    /** Sends JSON to its gateway, and returns the response. */
    public String ask(String path, String json) throws IOException {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://" + address() + path).toURL().openConnection();
        connection.setConnectTimeout(LIMIT_MILLIS);
        connection.setReadTimeout(LIMIT_MILLIS);
        if (!json.isEmpty()) {
            connection.setDoOutput(true);
            try (var out = connection.getOutputStream()) {
                out.write(json.getBytes(StandardCharsets.UTF_8));
            }
        }
        try (var in = connection.getInputStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } finally {
            connection.disconnect();
        }
    }

    /** What it logged so far. */
    public String log() {
        try {
            return Files.readString(directory.resolve("server.log"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        running = false;
        watchdog.close();
    }

    @Override
    public String toString() {
        return name + " (port " + port + ")";
    }
}
