package dev.lockstep.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A server that was started here, which a test may stop, kill and pause. It ends with this JVM at the latest. */
public final class PrivateServer implements TestServer, AutoCloseable {
    private static final int ATTEMPTS = 3;

    private final Endpoint endpoint;
    private final ServerRecipe recipe;
    private final Path directory;
    private final Watchdog watchdog;
    private volatile long pid;
    private volatile boolean running;

    private PrivateServer(Endpoint endpoint, ServerRecipe recipe, Path directory, Watchdog watchdog) {
        this.endpoint = endpoint;
        this.recipe = recipe;
        this.directory = directory;
        this.watchdog = watchdog;
    }

    static PrivateServer start(ServerKind kind, List<String> options) {
        return start(kind, kind.recipe(), options);
    }

    /** Starts the programs of this kind in another way. */
    static PrivateServer start(ServerKind kind, ServerRecipe recipe, List<String> options) {
        Platform.requireServers(kind);
        try {
            Installation installed = Installation.of(kind);
            for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
                try {
                    return start(kind, installed, recipe, options);
                } catch (PortTakenException e) {
                    // Another process was faster: another port.
                }
            }
            return start(kind, installed, recipe, options);
        } catch (MissingLibraryException e) {
            throw Platform.notTested(kind + " could not be started. " + e.getMessage(), System.getenv());
        } catch (IOException e) {
            throw new UncheckedIOException(kind + " could not be started: " + e.getMessage(), e);
        }
    }

    private static PrivateServer start(
            ServerKind kind, Installation installed, ServerRecipe recipe, List<String> options) throws IOException {
        int port = FreePort.find();
        Endpoint endpoint = new Endpoint(kind, "127.0.0.1", port, recipe.user(), "", kind.database(), kind.params());
        Path directory = Files.createTempDirectory("lockstep-" + kind.id() + "-");
        Path data = directory.resolve("data");
        ServerCommand command = ServerCommand.of(recipe.command(installed.programs(), data, port))
                .with(options);
        Watchdog watchdog = Watchdog.over(directory, recipe.endSignal(), command.words());
        PrivateServer server = new PrivateServer(endpoint, recipe, directory, watchdog);
        server.launchWith(installed.template(), data);
        return server;
    }

    private void launchWith(Path template, Path data) throws IOException {
        try {
            // Most of the data of MySQL and MariaDB is zeros: a sparse copy writes a quarter of it, or less.
            new ServerCommand(List.of("cp", "-a", "--sparse=always", template.toString(), data.toString())).run();
            recipe.prepare(data, port());
            launch();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void launch() throws IOException {
        ServerLog log = ServerLog.from(directory.resolve("server.log"));
        pid = watchdog.start();
        ServerStart.await(kind(), pid, log, recipe.readyMark());
        running = true;
    }

    @Override
    public Endpoint endpoint() {
        return endpoint;
    }

    /** The id of the server's process. */
    public long pid() {
        return pid;
    }

    /** Whether it runs: that ends when it is killed, stopped or paused here. */
    boolean isRunning() {
        return running;
    }

    /** Kills it with all its processes, as {@code kill -9} does. The data stays. */
    public void kill() {
        running = false;
        watchdog.kill();
    }

    /** Shuts it down in good order, whatever is connected. The data stays. */
    public void stop() {
        running = false;
        watchdog.end(recipe.stopSignal());
    }

    /** Starts it again on the same port with the same data; kills it first if it runs. */
    public void restart() {
        kill();
        try {
            launch();
        } catch (IOException e) {
            throw new UncheckedIOException(kind() + " could not be restarted: " + e.getMessage(), e);
        }
    }

    /** Makes it stand still with all its processes, as {@code kill -STOP} does. Connections stay open. */
    public void pause() {
        running = false;
        watchdog.pause();
    }

    /** Lets it continue after {@link #pause()}. */
    public void resume() {
        watchdog.resume();
        running = true;
    }

    /** What it logged so far. */
    public String log() {
        try {
            return new ServerLog(directory.resolve("server.log"), 0).text();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where its data and its log are, until it is closed. */
    public Path directory() {
        return directory;
    }

    /** Ends it and removes its data. */
    @Override
    public void close() {
        watchdog.close();
    }
}
