package dev.lockstep.testservers;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Finds a TCP port for a server. Below those that outgoing connections use, so that it is still free at a restart; and so is the second port, which
 * the node of a Redis cluster needs.
 */
final class FreePort {
    private static final int LOWEST = 11_000;
    private static final int HIGHEST = 21_000;
    private static final int CLUSTER_OFFSET = 10_000;
    private static final int ATTEMPTS = 100;

    private FreePort() {}

    static int find() throws IOException {
        for (int i = 0; i < ATTEMPTS; i++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST);
            if (isFree(port) && isFree(port + CLUSTER_OFFSET)) {
                return port;
            }
        }
        throw new IOException("no free TCP port between %d and %d".formatted(LOWEST, HIGHEST));
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
