package dev.lockstep.server.http;

import dev.lockstep.server.RunningServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/** A connection that sends just what a test says, however wrong it is. */
final class RawConnection implements AutoCloseable {
    private final Socket socket;

    RawConnection(RunningServer server) throws IOException {
        this(server.port());
    }

    private RawConnection(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(60_000);
    }

    /** Sends one request with these lines and no body, and gives the whole answer. */
    static String ask(RunningServer server, String... lines) throws IOException {
        return ask(server.port(), lines);
    }

    /** The same at any port. */
    static String ask(int port, String... lines) throws IOException {
        try (RawConnection connection = new RawConnection(port)) {
            connection.send(String.join("\r\n", lines) + "\r\nConnection: close\r\n\r\n");
            return connection.rest();
        }
    }

    void send(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
        socket.getOutputStream().flush();
    }

    /** What comes until the server closes the connection; a reset is an end, too. */
    String rest() throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        InputStream in = socket.getInputStream();
        try {
            in.transferTo(all);
        } catch (SocketException e) {
            return all.toString(StandardCharsets.UTF_8);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    /** What comes until a text was there so many times; fails when the connection is closed before. */
    String readUntil(String text, int times) throws IOException {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        while (all.toString(StandardCharsets.UTF_8).split(Pattern.quote(text), -1).length <= times) {
            int next = read();
            if (next < 0) {
                throw new IOException("Closed after " + all.toString(StandardCharsets.UTF_8));
            }
            all.write(next);
        }
        return all.toString(StandardCharsets.UTF_8);
    }

    /** One byte of what comes, or -1 when the connection is closed. */
    int read() throws IOException {
        return socket.getInputStream().read();
    }

    /** Goes away without a word: the server gets a reset. */
    void vanish() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
