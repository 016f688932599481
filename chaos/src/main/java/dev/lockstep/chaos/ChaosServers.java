package dev.lockstep.chaos;

import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.RedisCluster;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Everything that a run needs: servers that may be broken, processes with lines to them, and a register that stays whole. */
final class ChaosServers implements AutoCloseable {
    private final Setup setup;
    private final History history;
    private final TestDatabase register;
    private final StallDetector pulse;
    private final List<PrivateServer> servers = new ArrayList<>();
    private final List<ProcessSlot> posts = new ArrayList<>();
    private @Nullable RedisCluster cluster;

    private ChaosServers(Setup setup, History history, TestDatabase register) {
        this.setup = setup;
        this.history = history;
        this.register = register;
        pulse = StallDetector.start(history);
    }

    static ChaosServers open(Setup setup, int processes, Path directory, long seed) throws SQLException {
        ChaosServers stage = new ChaosServers(
                setup,
                History.in(directory, Records.CONDUCTOR),
                TestServers.postgres().freshDatabase());
        try {
            stage.furnish(processes, directory, seed);
            return stage;
        } catch (SQLException | RuntimeException e) {
            stage.close();
            throw e;
        }
    }

    private void furnish(int processes, Path directory, long seed) throws SQLException {
        try (Connection connection = register.connect()) {
            GuardedRegister.create(connection);
        }
        startServers();
        setup.prepare(urls());
        setup.firstEpoch(urls()).ifPresent(number -> history.now("epochs", "first", number));
        for (int i = 0; i < processes; i++) {
            long own = seed * 1_000 + i;
            posts.add(new ProcessSlot(
                    i,
                    setup.hasLines(),
                    servers,
                    (name, urls) -> ChaosProcess.start(
                            setup, directory, name, own + 100L * name.hashCode(), register.jdbcUrl(), urls)));
        }
        posts.forEach(post -> post.tell("begin"));
    }

    private void startServers() {
        if (setup.isCluster()) {
            cluster = TestServers.startRedisCluster(Setup.NODE_TIMEOUT);
            servers.addAll(cluster.nodes());
        } else {
            setup.servers().forEach(kind -> servers.add(TestServers.start(kind)));
        }
    }

    /** Where the servers are a cluster. */
    RedisCluster cluster() {
        return Objects.requireNonNull(cluster, "no cluster");
    }

    /** Waits until a cluster is whole again, as an administrator would before the next blow. */
    void settle() {
        if (cluster != null) {
            cluster.awaitOk();
        }
    }

    /** The addresses of the servers themselves, past all lines. */
    List<String> urls() {
        return servers.stream()
                .map(server -> server.kind() == ServerKind.REDIS ? server.url() : server.jdbcUrl())
                .toList();
    }

    Setup setup() {
        return setup;
    }

    History history() {
        return history;
    }

    List<PrivateServer> servers() {
        return servers;
    }

    List<ProcessSlot> posts() {
        return posts;
    }

    /** Does what ends connections to a server: those of one process, or with "*" all of them. */
    void breaking(int server, String process, Runnable action) {
        long from = System.nanoTime();
        action.run();
        history.now("break", "server", servers.get(server).kind(), "process", process, "from", from);
    }

    @Override
    public void close() {
        posts.forEach(ProcessSlot::close);
        servers.forEach(PrivateServer::close);
        pulse.close();
        history.close();
        try {
            register.close();
        } catch (SQLException e) {
            throw new IllegalStateException("The register can't be dropped", e);
        }
    }
}
