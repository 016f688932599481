package dev.lockstep.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;

/** A relay to a PostgreSQL server that tells the driver another process id, as poolers do. */
final class LyingRelay implements AutoCloseable {
    /** BackendKeyData: a letter and the length, then the process and the key. */
    private static final byte[] KEY_DATA = {'K', 0, 0, 0, 12};

    private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final int serverPort;

    private LyingRelay(int serverPort) throws IOException {
        this.serverPort = serverPort;
    }

    static LyingRelay before(int serverPort) throws IOException {
        LyingRelay relay = new LyingRelay(serverPort);
        daemon(relay::accept);
        return relay;
    }

    int port() {
        return listener.getLocalPort();
    }

    private void accept() {
        try {
            while (true) {
                Socket client = listener.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort);
                daemon(() -> relay(client, server, false));
                daemon(() -> relay(server, client, true));
            }
        } catch (IOException e) {
            // closed
        }
    }

    private static void relay(Socket from, Socket to, boolean lie) {
        byte[] buffer = new byte[65_536];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (lie) {
                    changeProcess(buffer, count);
                }
                out.write(buffer, 0, count);
            }
        } catch (IOException e) {
            // the other side closed
        }
    }

    private static void changeProcess(byte[] answer, int count) {
        for (int i = 0; i + KEY_DATA.length + 4 <= count; i++) {
            if (Arrays.equals(answer, i, i + KEY_DATA.length, KEY_DATA, 0, KEY_DATA.length)) {
                answer[i + KEY_DATA.length + 1] ^= 0x55;
            }
        }
    }

    private static void daemon(Runnable relay) {
        Thread thread = new Thread(relay, "lying-relay");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
