package dev.lockstep.testservers;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A connection to a Redis server for a few commands, without a driver. */
final class RedisConnection implements AutoCloseable {
    private static final int LIMIT_MILLIS =
            Math.toIntExact(Duration.ofSeconds(20).toMillis());

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;

    RedisConnection(TestServer server) throws IOException {
        try {
            socket.connect(new InetSocketAddress(server.host(), server.port()), LIMIT_MILLIS);
            socket.setSoTimeout(LIMIT_MILLIS);
            in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
            out = new BufferedOutputStream(socket.getOutputStream());
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Sends one command on its own connection. */
    static Object ask(TestServer server, String... words) throws IOException {
        return ask(server, List.of(words));
    }

    static Object ask(TestServer server, List<String> words) throws IOException {
        try (RedisConnection connection = new RedisConnection(server)) {
            return connection.ask(words);
        }
    }

    /** The answer: a text, a number, or a list of such; nothing is an empty text. */
    Object ask(List<String> words) throws IOException {
        StringBuilder command = new StringBuilder("*" + words.size() + "\r\n");
        for (String word : words) {
            command.append('$')
                    .append(bytes(word).length)
                    .append("\r\n")
                    .append(word)
                    .append("\r\n");
        }
        out.write(bytes(command.toString()));
        out.flush();
        return answer();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Object answer() throws IOException {
        int type = in.readByte();
        String line = line();
        return switch (type) {
            case '+' -> line;
            case ':' -> Long.valueOf(line);
            case '$' -> text(Integer.parseInt(line));
            case '*' -> list(Integer.parseInt(line));
            case '-' -> throw new IOException(line);
            default -> throw new IOException("no answer of Redis: " + (char) type + line);
        };
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder();
        for (int next = in.readByte(); next != '\r'; next = in.readByte()) {
            line.append((char) next);
        }
        in.readByte();
        return line.toString();
    }

    private String text(int length) throws IOException {
        if (length < 0) {
            return "";
        }
        byte[] text = new byte[length];
        in.readFully(text);
        in.readShort();
        return new String(text, StandardCharsets.UTF_8);
    }

    private List<Object> list(int length) throws IOException {
        List<Object> list = new ArrayList<>();
        for (int i = 0; i < length; i++) {
            list.add(answer());
        }
        return list;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
