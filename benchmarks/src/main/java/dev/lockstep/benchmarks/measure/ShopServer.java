package dev.lockstep.benchmarks.measure;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A database that stock is kept in, how it is set up, and how many times as fast combining should be there. */
public enum ShopServer {
    MYSQL(LockServer.MYSQL),
    MARIADB(LockServer.MARIADB),
    POSTGRESQL(LockServer.POSTGRESQL),
    H2(null);

    /** How many times as many reservations combining should take as each of these. */
    public record Asked(double optimistic, double forUpdate, double guardedUpdate) {}

    private static final Asked ALONE = new Asked(0.9, 0.8, 0.65);

    private final Optional<LockServer> server;

    ShopServer(@Nullable LockServer server) {
        this.server = Optional.ofNullable(server);
    }

    /** The one of this name, as it is written on the command line. */
    public static Optional<ShopServer> named(String name) {
        return Stream.of(values())
                .filter(server -> server.toString().equals(name))
                .findFirst();
    }

    /** The server's program; none for H2, which runs in this JVM. */
    public Optional<LockServer> server() {
        return server;
    }

    public Optional<Asked> asked(int clients) {
        return switch (clients) {
            case 1 -> Optional.of(ALONE);
            case 8 -> this == MYSQL ? Optional.of(new Asked(6, 5, 2.5)) : Optional.empty();
            case 128 -> askedOfMany();
            default -> Optional.empty();
        };
    }

    private Optional<Asked> askedOfMany() {
        return switch (this) {
            case MYSQL -> Optional.of(new Asked(40, 20, 12));
            case MARIADB -> Optional.of(new Asked(20, 8, 5));
            case POSTGRESQL -> Optional.of(new Asked(25, 25, 15));
            case H2 -> Optional.empty();
        };
    }

    /** How many times as many orders over the whole shop group commit should take as guarded updates, with 128 clients. */
    public Optional<Double> askedOfOrders() {
        return switch (this) {
            case MYSQL, MARIADB -> Optional.of(4.0);
            case POSTGRESQL -> Optional.of(5.0);
            case H2 -> Optional.empty();
        };
    }

    /** Which part of FOR UPDATE's p99 combining's may be. */
    public Optional<Double> askedPartOfP99(int clients) {
        return this == MYSQL && clients == 128 ? Optional.of(1 / 20.0) : Optional.empty();
    }

    /** What the server is started with: durable commits, and a cache that holds what one turn writes. */
    public List<String> options() {
        return switch (this) {
            case MYSQL, MARIADB -> List.of("--innodb-flush-log-at-trx-commit=1", "--innodb-buffer-pool-size=256M");
            case POSTGRESQL -> List.of("-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "shared_buffers=256MB");
            case H2 -> List.of("WRITE_DELAY=0");
        };
    }

    public Map<String, String> driver() {
        return server.map(LockServer::peerDriver).orElse(Map.of());
    }

    /** One row that says how durable the server is. */
    public String durability() {
        return server.map(LockServer::durability).orElse("""
                SELECT CONCAT('WRITE_DELAY = ', setting_value)
                FROM information_schema.settings
                WHERE setting_name = 'WRITE_DELAY'
                """);
    }

    /** Whether what {@link #durability} said means that a commit is on the disk. H2 hands it to the system, and no more. */
    public boolean isDurable(String said) {
        return switch (this) {
            case MYSQL, MARIADB ->
                said.matches("innodb_flush_log_at_trx_commit = 1, log_bin = ((0|OFF), .*|(1|ON), sync_binlog = 1)");
            case POSTGRESQL -> said.equals("fsync = on, synchronous_commit = on");
            case H2 -> said.equals("WRITE_DELAY = 0");
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
