package dev.lockstep.inventory.books;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.inventory.sql.DatabaseFailure;
import dev.lockstep.inventory.sql.Product;
import dev.lockstep.inventory.sql.Session;
import dev.lockstep.inventory.sql.SinglePrimary;
import dev.lockstep.inventory.sql.TablePrefix;
import dev.lockstep.inventory.sql.TimeLimits;
import dev.lockstep.inventory.sql.TransactionSerializer;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** The database that holds the stock. */
public final class Database {
    /** What is known after the first connection. */
    private record Known(Tables tables, TransactionSerializer serializer, int isolation) {}

    private final DataSource dataSource;
    private final TimeLimits limits;
    private final TablePrefix prefix;
    private volatile @Nullable Known known;

    public Database(DataSource dataSource, TimeLimits limits) {
        this(dataSource, limits, TablePrefix.NONE);
    }

    public Database(DataSource dataSource, TimeLimits limits, TablePrefix prefix) {
        this.dataSource = dataSource;
        this.limits = limits;
        this.prefix = prefix;
    }

    /** Begins a transaction on its own connection. */
    public Session begin() throws SQLException {
        Connection connection = dataSource.getConnection();
        try {
            Known about = known(connection);
            about.serializer().acquire(limits.statementMillis());
            return Session.begin(prefix.on(connection), about.isolation(), about.serializer(), limits);
        } catch (SQLException | RuntimeException e) {
            connection.close();
            throw e;
        }
    }

    /** A query that changes nothing. */
    @FunctionalInterface
    public interface Question<T> {
        public T ask(Tables tables, Connection connection) throws SQLException;
    }

    /** Runs statements in a transaction of the caller's own connection, which they don't end. */
    public <T> T join(Connection own, Question<T> question) throws SQLException {
        Known about = known(own);
        if (!about.serializer().isFree()) {
            throw new InvalidRequestException(
                    "In an H2 file, a rollback can undo what others have committed, so the inventory"
                            + " runs one transaction at a time there and can't join one. Nothing was changed. Reserve without a"
                            + " connection.");
        }
        return question.ask(about.tables(), prefix.on(own));
    }

    /** The answer to a question. */
    public <T> T query(Question<T> question) throws SQLException {
        try (Session session = begin()) {
            return session.run(connection -> question.ask(tables(session), connection));
        }
    }

    public <T> T ask(Question<T> question) {
        try {
            return query(question);
        } catch (SQLException e) {
            throw DatabaseFailure.of(e);
        }
    }

    public Tables tables(Session session) throws SQLException {
        return known(session.connection()).tables();
    }

    /** A DataSource gives all its connections the same isolation, so it is asked for once: some drivers ask the server. */
    private Known known(Connection connection) throws SQLException {
        @Nullable Known now = known;
        if (now == null) {
            Product product = Product.of(connection);
            if (product == Product.MYSQL || product == Product.MARIADB) {
                SinglePrimary.require(connection);
            }
            now = new Known(
                    tables(product, connection),
                    TransactionSerializer.of(product, connection),
                    connection.getTransactionIsolation());
            known = now;
        }
        return now;
    }

    public static Tables tables(Product product, Connection connection) throws SQLException {
        return switch (product) {
            case POSTGRESQL -> new PostgresTables();
            case MYSQL, MARIADB ->
                new InnodbTables(Product.hasJsonTable(connection.getMetaData().getDatabaseProductVersion()));
            case H2 -> new H2Tables();
        };
    }
}
