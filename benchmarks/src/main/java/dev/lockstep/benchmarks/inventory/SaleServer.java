package dev.lockstep.benchmarks.inventory;

import com.zaxxer.hikari.HikariDataSource;
import dev.lockstep.benchmarks.measure.LockServer;
import dev.lockstep.benchmarks.measure.PeerPool;
import dev.lockstep.benchmarks.measure.ShopServer;
import dev.lockstep.inventory.InventorySchema;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.testservers.PrivateServer;
import dev.lockstep.testservers.TestServers;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Its own server with durable commits, the tables of an inventory, and one pool for all who sell. */
final class SaleServer implements AutoCloseable {
    private static final int CONNECTIONS = 32;

    private final ShopServer kind;
    private final HikariDataSource pool;
    private final Closing closing;

    /** What is left to do when the pool is closed. */
    @FunctionalInterface
    private interface Closing {
        void close() throws IOException;
    }

    private SaleServer(ShopServer kind, HikariDataSource pool, Closing closing) {
        this.kind = kind;
        this.pool = pool;
        this.closing = closing;
        InventorySchema.on(pool).apply();
    }

    static SaleServer open(ShopServer kind) throws IOException {
        return kind.server().isPresent() ? onServer(kind, kind.server().get()) : inFiles(kind);
    }

    private static SaleServer onServer(ShopServer kind, LockServer which) {
        PrivateServer server = TestServers.start(which.kind(), kind.options().toArray(String[]::new));
        return new SaleServer(
                kind,
                PeerPool.shared(server.jdbcUrl(), server.user(), server.password(), kind.driver(), CONNECTIONS),
                server::close);
    }

    private static SaleServer inFiles(ShopServer kind) throws IOException {
        Path directory = Files.createTempDirectory("lockstep-shop-");
        String url = "jdbc:h2:file:" + directory.resolve("shop") + ";" + String.join(";", kind.options());
        return new SaleServer(
                kind, PeerPool.shared(url, "sa", "", kind.driver(), CONNECTIONS), () -> delete(directory));
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    ShopServer kind() {
        return kind;
    }

    HikariDataSource pool() {
        return pool;
    }

    void describe(PrintStream out) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet durability = statement.executeQuery(kind.durability())) {
            durability.next();
            String durable = durability.getString(1);
            if (!kind.isDurable(durable)) {
                throw new IllegalStateException("The commits of " + kind + " are not durable: " + durable);
            }
            DatabaseMetaData about = connection.getMetaData();
            out.printf("## %s %s%n%n", about.getDatabaseProductName(), about.getDatabaseProductVersion());
            out.printf(
                    "%s (started with %s); %s %s; JDK %s, %d processors%n",
                    durable,
                    String.join(" ", kind.options()),
                    about.getDriverName(),
                    about.getDriverVersion(),
                    Runtime.version(),
                    Runtime.getRuntime().availableProcessors());
        }
        out.printf("one pool for all: %s%n%n", PeerPool.describe(pool));
    }

    /** Deletes what was sold, and receives this many SKUs. */
    List<StockKey> stockUp(int skus) throws SQLException {
        List<StockKey> keys = IntStream.range(0, skus).mapToObj(SaleServer::key).toList();
        new Shelves(pool).fill(keys);
        return keys;
    }

    static StockKey key(int number) {
        return new StockKey("SKU-" + number, "TOKYO");
    }

    @Override
    public void close() throws IOException {
        pool.close();
        closing.close();
    }
}
