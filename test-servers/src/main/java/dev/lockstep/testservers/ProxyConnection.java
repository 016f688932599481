package dev.lockstep.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/** One client's connection through a {@link TcpProxy}: two sockets, and a thread for each direction. */
final class ProxyConnection {
    private static final int CHUNK = 1 << 16;

    private final Socket client;
    private final Socket server = new Socket();
    private final Gate requests;
    private final Gate answers;
    private volatile boolean cut;

    ProxyConnection(Socket client, Gate requests, Gate answers) {
        this.client = client;
        this.requests = requests;
        this.answers = answers;
    }

    void connect(InetSocketAddress target) throws IOException {
        client.setTcpNoDelay(true);
        server.setTcpNoDelay(true);
        server.connect(target);
    }

    void forwardRequests(LongSupplier delayNanos, LongAdder count) throws IOException {
        byte[] chunk = new byte[CHUNK];
        InputStream in = client.getInputStream();
        for (int size = in.read(chunk); size >= 0; size = in.read(chunk)) {
            count.increment();
            if (pauseFor(delayNanos.getAsLong())) {
                size += readWaiting(in, chunk, size);
            }
            send(requests, server, chunk, size);
        }
        server.shutdownOutput();
    }

    void forwardResponses() {
        byte[] chunk = new byte[CHUNK];
        try {
            InputStream in = server.getInputStream();
            for (int size = in.read(chunk); size >= 0; size = in.read(chunk)) {
                send(answers, client, chunk, size);
            }
            client.shutdownOutput();
        } catch (IOException e) {
            cut();
        }
    }

    private void send(Gate gate, Socket target, byte[] chunk, int size) throws IOException {
        gate.pass(() -> cut);
        OutputStream out = target.getOutputStream();
        out.write(chunk, 0, size);
    }

    private static boolean pauseFor(long nanos) {
        long start = System.nanoTime();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - start)) {
            LockSupport.parkNanos(left);
        }
        return nanos > 0;
    }

    /** The rest of a large request came during the pause: it must not pause once more. */
    private static int readWaiting(InputStream in, byte[] chunk, int offset) throws IOException {
        int waiting = Math.min(in.available(), chunk.length - offset);
        return waiting == 0 ? 0 : Math.max(0, in.read(chunk, offset, waiting));
    }

    /** Breaks it so that both sides get a reset. */
    void cut() {
        cut = true;
        reset(client);
        reset(server);
        requests.nudge();
        answers.nudge();
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException e) {
            // It is closed already.
        }
    }

    void close() {
        try (client) {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
