package dev.lockstep.chaos;

import dev.lockstep.testservers.PrivateServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A command that the conductor gives a Redis server, past all stores. */
final class RedisCommand {
    private RedisCommand() {}

    static void send(PrivateServer server, String command) {
        try (Socket socket = new Socket(server.host(), server.port());
                BufferedReader answers =
                        new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8))) {
            socket.getOutputStream().write((command + "\r\n").getBytes(StandardCharsets.UTF_8));
            String answer = answers.readLine();
            if (!"+OK".equals(answer)) {
                throw new IOException(command + " was answered with " + answer);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
