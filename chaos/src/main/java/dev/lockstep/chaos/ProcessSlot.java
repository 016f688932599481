package dev.lockstep.chaos;

import dev.lockstep.testservers.ChildJvm;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** The place of one process: its lines to the servers, which no other process uses, and the process there now. */
final class ProcessSlot implements AutoCloseable {
    /** Its JVM may take a minute to start. */
    private static final Duration ANSWERS_WITHIN = Duration.ofMinutes(3);

    private final Starter starter;
    private final int number;
    private final List<TcpProxy> lines = new ArrayList<>();
    private final List<String> urls = new ArrayList<>();
    private int generation;
    private ChildJvm process;

    /** Starts a process of this name with these addresses of the servers. */
    @FunctionalInterface
    interface Starter {
        ChildJvm start(String name, List<String> urls) throws IOException;
    }

    /** {@code ownLines}: whether the process reaches the servers by lines that can be broken. */
    ProcessSlot(int number, boolean ownLines, List<PrivateServer> servers, Starter starter) {
        this.number = number;
        this.starter = starter;
        servers.forEach(ownLines ? this::layLine : server -> urls.add(server.url()));
        process = start();
    }

    private void layLine(PrivateServer server) {
        TcpProxy line = TcpProxy.to(server);
        lines.add(line);
        urls.add(server.kind() == ServerKind.REDIS ? server.url(line) : server.jdbcUrl(line));
    }

    private ChildJvm start() {
        try {
            return starter.start(name(), urls);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The name of the process here now, and of its history. */
    String name() {
        return "p" + number + "-" + generation;
    }

    TcpProxy line(int server) {
        return lines.get(server);
    }

    ChildJvm process() {
        return process;
    }

    /** Sends an order to the process, which must not stand still. */
    String tell(String order) {
        return tell(order, ANSWERS_WITHIN);
    }

    String tell(String order, Duration atMost) {
        try {
            process.tell(order);
            return process.answer(atMost);
        } catch (IOException e) {
            throw new UncheckedIOException(name() + " did not accept the order " + order, e);
        }
    }

    /** Puts another process in the place of one that was killed. */
    void replace() {
        process.close();
        generation++;
        process = start();
    }

    @Override
    public void close() {
        process.close();
        lines.forEach(TcpProxy::close);
    }
}
