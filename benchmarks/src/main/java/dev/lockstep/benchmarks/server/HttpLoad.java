package dev.lockstep.benchmarks.server;

import dev.lockstep.benchmarks.measure.WaitTimes;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Many connections of one thread to the server: as little as possible of the processors that the server needs, too. */
final class HttpLoad {
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(60);

    private final ServerProcess server;
    private final int connections;

    HttpLoad(ServerProcess server, int connections) {
        this.server = server;
        this.connections = connections;
    }

    /** Sends one request, and returns what came back. */
    static HttpAnswer ask(InetSocketAddress server, byte[] request) throws IOException {
        try (Selector selector = Selector.open();
                LoadConnection connection = LoadConnection.open(server, previous -> request, selector)) {
            connection.ask(HttpAnswer.NONE);
            while (true) {
                selector.select(LONGEST_ANSWER.toMillis());
                Optional<HttpAnswer> answer = connection.read();
                if (answer.isPresent()) {
                    return answer.get();
                }
            }
        }
    }

    /** A fifth of the time to warm up, then all of it to measure. Requests on their way at the end are answered first. */
    LoadTurn turn(Supplier<HttpVisitor> visitors, Duration time) throws IOException {
        try (Selector selector = Selector.open()) {
            List<LoadConnection> all = new ArrayList<>();
            try {
                for (int i = 0; i < connections; i++) {
                    all.add(LoadConnection.open(server.address(), visitors.get(), selector));
                }
                for (LoadConnection each : all) {
                    each.ask(HttpAnswer.NONE);
                }
                return new Turn(selector, time).run();
            } finally {
                for (LoadConnection each : all) {
                    each.close();
                }
            }
        }
    }

    /** One turn, on the thread that runs it. */
    private final class Turn {
        private final Selector selector;
        private final Duration time;
        private final WaitTimes latencies = new WaitTimes();
        private final long start;
        private final long end;
        private int onTheirWay = connections;
        private long answered;

        Turn(Selector selector, Duration time) {
            this.selector = selector;
            this.time = time;
            start = System.nanoTime() + time.dividedBy(5).toNanos();
            end = start + time.toNanos();
        }

        LoadTurn run() throws IOException {
            runUntil(start);
            Duration serverBefore = server.processorTime();
            long ownBefore = ownProcessorTime();
            runUntil(end);
            Duration own = Duration.ofNanos(ownProcessorTime() - ownBefore);
            Duration servers = server.processorTime().minus(serverBefore);
            while (onTheirWay > 0) {
                readAll(end);
            }
            return new LoadTurn(time, answered, latencies, servers, own);
        }

        private long ownProcessorTime() {
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }

        private void runUntil(long moment) throws IOException {
            while (System.nanoTime() - moment < 0) {
                readAll(moment);
            }
        }

        private void readAll(long until) throws IOException {
            boolean asking = System.nanoTime() - end < 0;
            long left = asking ? Math.max(1, (until - System.nanoTime()) / 1_000_000) : LONGEST_ANSWER.toMillis();
            if (selector.select(left) == 0 && !asking) {
                throw new IOException(onTheirWay + " requests were not answered in " + LONGEST_ANSWER);
            }
            for (SelectionKey key : selector.selectedKeys()) {
                read((LoadConnection) key.attachment());
            }
            selector.selectedKeys().clear();
        }

        private void read(LoadConnection connection) throws IOException {
            Optional<HttpAnswer> answer = connection.read();
            if (answer.isEmpty()) {
                return;
            }
            long now = System.nanoTime();
            if (connection.askedAt() - start >= 0) {
                latencies.add(now - connection.askedAt());
            }
            if (now - start >= 0 && now - end < 0) {
                answered++;
            }
            if (now - end < 0 || !connection.mayEndAfter(answer.get())) {
                connection.ask(answer.get());
            } else {
                onTheirWay--;
            }
        }
    }
}
