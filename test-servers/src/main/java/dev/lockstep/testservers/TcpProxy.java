package dev.lockstep.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** A TCP proxy on this machine: a network in front of a server that a test can slow down, freeze and cut. */
public final class TcpProxy implements AutoCloseable {
    private final InetSocketAddress target;
    private final int port;
    private final Set<ProxyConnection> open = ConcurrentHashMap.newKeySet();
    private final LongAdder accepted = new LongAdder();
    private final LongAdder roundTrips = new LongAdder();
    private final Gate requests = new Gate();
    private final Gate answers = new Gate();
    private volatile long delayNanos;
    private @Nullable Listener listener;

    private TcpProxy(InetSocketAddress target) throws IOException {
        this.target = target;
        this.port = FreePort.find();
    }

    /** A proxy in front of a test server. */
    public static TcpProxy to(TestServer server) {
        return to(server.host(), server.port());
    }

    /** A proxy in front of any server. */
    public static TcpProxy to(String host, int port) {
        try {
            TcpProxy proxy = new TcpProxy(new InetSocketAddress(host, port));
            proxy.accept();
            return proxy;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The address to connect to instead of the server's. */
    public String host() {
        return "127.0.0.1";
    }

    /** The port to connect to instead of the server's. */
    public int port() {
        return port;
    }

    /**
     * Holds back all that clients send for this long. What the server sends is not held back, so a round trip takes longer
     * by this, and by about 0.1 ms for the proxy itself and the inexact timer. Connections don't wait for each other.
     */
    public void delay(Duration delay) {
        delayNanos = delay.toNanos();
    }

    /** Breaks all connections. New ones are possible. */
    public void cut() {
        open.forEach(ProxyConnection::cut);
    }

    /** Refuses new connections. Those that are open stay. */
    public synchronized void refuse() {
        if (listener != null) {
            listener.close();
            listener = null;
        }
    }

    /** Accepts new connections again. */
    public synchronized void accept() {
        if (listener == null) {
            listener = Listener.on(port, this::accepted);
        }
    }

    /** Stops forwarding, in both directions. Connections stay open. */
    public void freeze() {
        freezeRequests();
        freezeAnswers();
    }

    /** Stops forwarding what clients send; what the server sends gets through. Connections stay open. */
    public void freezeRequests() {
        requests.shut();
    }

    /** Stops forwarding what the server sends; what clients send gets through. Connections stay open. */
    public void freezeAnswers() {
        answers.shut();
    }

    /** Forwards again in both directions, beginning with what was sent meanwhile. */
    public void thaw() {
        requests.open();
        answers.open();
    }

    /** How many connections are open. */
    public int connections() {
        return open.size();
    }

    /** How many connections there were so far, the open ones included. */
    public long accepted() {
        return accepted.sum();
    }

    /** How often clients sent something and then waited, or nearly so: pipelined requests may count as one. */
    public long roundTrips() {
        return roundTrips.sum();
    }

    /** Refuses and cuts everything. */
    @Override
    public void close() {
        refuse();
        cut();
        thaw();
    }

    private void accepted(Socket client) {
        accepted.increment();
        ProxyConnection connection = new ProxyConnection(client, requests, answers);
        open.add(connection);
        daemon("lockstep-proxy-requests", () -> forward(connection));
    }

    private void forward(ProxyConnection connection) {
        try {
            connection.connect(target);
            Thread responses = daemon("lockstep-proxy-responses", connection::forwardResponses);
            connection.forwardRequests(() -> delayNanos, roundTrips);
            responses.join();
        } catch (IOException | InterruptedException e) {
            connection.cut();
        } finally {
            connection.close();
            open.remove(connection);
        }
    }

    static Thread daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }
}
