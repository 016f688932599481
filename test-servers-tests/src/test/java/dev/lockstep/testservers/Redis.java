package dev.lockstep.testservers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Single Redis commands, in the protocol's inline form. */
final class Redis {
    private Redis() {}

    static String ask(TestServer server, String command) {
        return ask(server.host(), server.port(), command);
    }

    static String ask(String host, int port, String command) {
        try (Socket socket = new Socket(host, port)) {
            return ask(socket, command);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The first line of the answer. */
    static String ask(Socket socket, String command) throws IOException {
        socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.US_ASCII));
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
    }
}
