package dev.lockstep.benchmarks.server;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** One kept-alive connection of a visitor who asks again as soon as there is an answer. */
final class LoadConnection implements AutoCloseable {
    private final SocketChannel channel;
    private final HttpVisitor visitor;
    private final ByteBuffer bytes = ByteBuffer.allocate(16_384);
    private final StringBuilder received = new StringBuilder();
    private long askedAt;

    private LoadConnection(SocketChannel channel, HttpVisitor visitor) {
        this.channel = channel;
        this.visitor = visitor;
    }

    static LoadConnection open(InetSocketAddress server, HttpVisitor visitor, Selector selector) throws IOException {
        SocketChannel channel = SocketChannel.open(server);
        LoadConnection connection = new LoadConnection(channel, visitor);
        channel.socket().setTcpNoDelay(true);
        channel.configureBlocking(false);
        channel.register(selector, SelectionKey.OP_READ, connection);
        return connection;
    }

    /** Sends the request that comes after this answer. Requests are small: one that doesn't fit into the socket is a fault. */
    void ask(HttpAnswer previous) throws IOException {
        ByteBuffer request = ByteBuffer.wrap(visitor.next(previous));
        askedAt = System.nanoTime();
        channel.write(request);
        if (request.hasRemaining()) {
            throw new IOException("the server doesn't read");
        }
    }

    /** Reads what has come; answers the whole answer, once it is there. */
    Optional<HttpAnswer> read() throws IOException {
        int count = channel.read(bytes.clear());
        if (count < 0) {
            throw new IOException("the server closed a connection");
        }
        received.append(new String(bytes.array(), 0, count, StandardCharsets.ISO_8859_1));
        Optional<HttpAnswer> answer = HttpAnswer.read(received);
        answer.ifPresent(whole -> received.delete(0, whole.length()));
        return answer;
    }

    boolean mayEndAfter(HttpAnswer last) {
        return visitor.mayEndAfter(last);
    }

    long askedAt() {
        return askedAt;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
