package dev.lockstep.server.client;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.atomic.AtomicInteger;

/** Passes connections on to a server, and closes some when the response comes, as a network may. */
final class LossyRelay implements AutoCloseable {
    private final ServerSocket socket;
    private final int target;
    private final AtomicInteger toLose = new AtomicInteger();
    private final AtomicInteger lost = new AtomicInteger();

    LossyRelay(int target) throws IOException {
        this.target = target;
        socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    /** Loses this many of the next responses. */
    void lose(int responses) {
        toLose.set(responses);
    }

    int lost() {
        return lost.get();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = socket.accept();
            Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
            start(() -> copy(client, server, false));
            start(() -> copy(server, client, true));
        }
    }

    private void copy(Socket from, Socket to, boolean responses) throws IOException {
        try (from;
                to) {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            byte[] bytes = new byte[8_192];
            for (int read = in.read(bytes); read >= 0; read = in.read(bytes)) {
                if (responses && toLose.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                    lost.incrementAndGet();
                    return;
                }
                out.write(bytes, 0, read);
            }
        }
    }

    private interface Relaying {
        void run() throws IOException;
    }

    private static void start(Relaying relaying) {
        Thread thread = new Thread(() -> {
            try {
                relaying.run();
            } catch (IOException e) {
                // the connection has ended
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
