package dev.lockstep.benchmarks.server;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A Lockstep server in its own process, with the flags of {@code ./lockstep serve}, and with {@link ConstantRoute}. */
final class ServerProcess implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofMinutes(2);
    private static final Duration LONGEST_STOP = Duration.ofSeconds(20);

    private final Process process;
    private final InetSocketAddress address;
    private final Duration startUp;

    private ServerProcess(Process process, InetSocketAddress address, Duration startUp) {
        this.process = process;
        this.address = address;
        this.startUp = startUp;
    }

    /** Starts it with these properties, and waits for its first answer. */
    static ServerProcess start(Map<String, String> properties) throws IOException, InterruptedException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
        long began = System.nanoTime();
        Process process = new ProcessBuilder(command(address.getPort(), properties))
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        try {
            awaitAnswer(process, address, began);
            return new ServerProcess(process, address, Duration.ofNanos(System.nanoTime() - began));
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static List<String> command(int port, Map<String, String> properties) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-cp",
                System.getProperty("java.class.path"),
                "dev.lockstep.server.LockstepServer",
                "--server.port=" + port,
                "--spring.main.sources=" + ConstantRoute.class.getName(),
                "--logging.level.root=warn",
                "--logging.level.dev.lockstep.inventory.Inventory=error"));
        properties.forEach((name, value) -> command.add("--" + name + "=" + value));
        return command;
    }

    private static void awaitAnswer(Process process, InetSocketAddress address, long began)
            throws IOException, InterruptedException {
        while (!answers(address)) {
            if (!process.isAlive() || System.nanoTime() - began > LONGEST_START.toNanos()) {
                throw new IOException("the server did not start; what it said is above");
            }
            Thread.sleep(5);
        }
    }

    private static boolean answers(InetSocketAddress address) {
        try {
            URI uri = URI.create("http://127.0.0.1:" + address.getPort() + "/api/status");
            HttpURLConnection connection = (HttpURLConnection) uri.toURL().openConnection();
            try (InputStream answer = connection.getInputStream()) {
                return answer.readAllBytes().length > 0 && connection.getResponseCode() == 200;
            }
        } catch (IOException e) {
            return false;
        }
    }

    InetSocketAddress address() {
        return address;
    }

    /** From the command to the first answered request. */
    Duration startUp() {
        return startUp;
    }

    /** The processor time that it has used so far. */
    Duration processorTime() {
        return process.toHandle().info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit()
                .completeOnTimeout(process, LONGEST_STOP.toSeconds(), TimeUnit.SECONDS)
                .thenCompose(any -> any.destroyForcibly().onExit())
                .join();
    }
}
