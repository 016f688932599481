package dev.lockstep.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.function.Consumer;

/**
 * A port of this machine that is listened on.
 *
 * @param socket the port
 * @param thread what accepts the connections
 */
record Listener(ServerSocket socket, Thread thread) implements AutoCloseable {

    static Listener on(int port, Consumer<Socket> accepted) {
        ServerSocket socket = bind(port);
        return new Listener(socket, TcpProxy.daemon("lockstep-proxy-" + port, () -> acceptFrom(socket, accepted)));
    }

    private static ServerSocket bind(int port) {
        try {
            ServerSocket socket = new ServerSocket();
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), port));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException("the proxy can't listen on port " + port, e);
        }
    }

    private static void acceptFrom(ServerSocket socket, Consumer<Socket> accepted) {
        while (!socket.isClosed()) {
            try {
                accepted.accept(socket.accept());
            } catch (IOException e) {
                // It was closed, or the client has gone already.
            }
        }
    }

    /** A thread that is still accepting gets one more connection after the close: so this waits for its end. */
    @Override
    public void close() {
        try {
            socket.close();
            thread.join();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
