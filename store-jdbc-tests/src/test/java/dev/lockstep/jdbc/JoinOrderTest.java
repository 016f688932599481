package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.jdbc.slots.RowTable;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import dev.lockstep.jdbc.sql.ServerSession;
import dev.lockstep.jdbc.sql.SqlFault;
import dev.lockstep.testkit.Tenancy;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** In which order MySQL locks the rows of a join: the proof for the version of the test server, and the check for others. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class JoinOrderTest {
    private static final int LARGEST_JOIN = 61;
    private static final LockKey USER = Tenancy.user("u1");
    private static final List<LockKey> USERS = IntStream.range(0, LARGEST_JOIN)
            .mapToObj(i -> Tenancy.user("u" + i))
            .toList();

    private final MySqlDialect ofUnknownServer = new MySqlDialect(RowTable.BUCKETS, Set.of());
    private final Random random = new Random(18);
    private RowTable rows;
    private MySqlDialect dialect;
    private LockDatabase database;
    private SessionPool pool;
    private LockSession holder;
    private LockSession taker;

    @BeforeEach
    void openBuckets() throws SQLException {
        open(RowTable.BUCKETS, LockDatabase.on(Server.MYSQL));
    }

    private void openIds() throws SQLException {
        close();
        open(RowTable.IDS, LockDatabase.ofIds(Server.MYSQL, USERS));
    }

    private void open(RowTable table, LockDatabase tables) throws SQLException {
        rows = table;
        dialect = new MySqlDialect(table);
        database = tables;
        pool = new SessionPool(database.dataSource(), dialect, 1);
        holder = pool.connect(Duration.ofMinutes(10));
        taker = pool.connect(Duration.ofMinutes(10));
    }

    @AfterEach
    void close() throws SQLException {
        holder.restoreAndClose();
        taker.restoreAndClose();
        pool.close();
        database.close();
    }

    /** In an order that is not that of the index: rows are locked by rank, whatever the levels of their kinds. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3, LARGEST_JOIN})
    void rowsAreLockedAsWrittenAndNoneAfterTheFirstThatIsTaken(int size) throws SQLException {
        requireLockedAsWritten(size);
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, LARGEST_JOIN})
    void rowsOfKeysAreLockedAsWrittenToo(int size) throws SQLException {
        openIds();
        requireLockedAsWritten(size);
    }

    private void requireLockedAsWritten(int size) throws SQLException {
        for (int blocked = 0; blocked < size; blocked++) {
            List<ServerLock> order = shuffledLocks(size);
            dialect.take(holder, List.of(order.get(blocked)));
            ServerLock taken = order.get(blocked);
            order.replaceAll(lock -> lock == taken ? exclusive(lock) : lock);
            assertThatThrownBy(() -> dialect.takeByJoin(taker, order))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(SqlFault.of(e)).isEqualTo(SqlFault.BUSY));
            assertThat(rowsLockedBy(taker)).containsExactlyInAnyOrderElementsOf(data(order.subList(0, blocked)));
            taker.connection.rollback();
            holder.connection.rollback();
        }
    }

    @Test
    void aJoinThatFindsAllRowsLocksThemInTheirModes() throws SQLException {
        List<ServerLock> order = shuffledLocks(5);
        Dialect.Progress progress = dialect.takeByJoin(taker, order);
        assertThat(progress.blockedAt()).isNegative();
        assertThat(progress.state().serverId()).isEqualTo(taker.serverId);
        assertThat(rowsLockedBy(taker)).containsExactlyInAnyOrderElementsOf(data(order));
    }

    @Test
    void aServerOfAnUnknownVersionIsCheckedBeforeJoinsAreUsed() throws SQLException {
        assertThat(statements(ofUnknownServer)).noneMatch(sql -> sql.contains("STRAIGHT_JOIN"));
        ofUnknownServer.inBackground(pool);
        assertThat(statements(ofUnknownServer)).anyMatch(sql -> sql.contains("STRAIGHT_JOIN"));
    }

    /** As after a failover, or behind a proxy before several servers. */
    @Test
    void whatWasCheckedOnOneVersionDoesNotCountForAnother() throws SQLException {
        List<String> statements = new ArrayList<>();
        DataSource watched = new InterceptedDataSource(database.dataSource(), (connection, sql) -> statements.add(sql));
        LockSession other = LockSession.on(
                BorrowedConnection.from(watched).readCommitted(false),
                new ServerSession(1, "", "another version", "mark"),
                Duration.ofMinutes(10),
                List.of());
        ofUnknownServer.tryAll(other, shuffledLocks(2));
        other.connection.rollback();
        ofUnknownServer.inBackground(pool);
        ofUnknownServer.tryAll(other, shuffledLocks(2));
        other.restoreAndClose();
        assertThat(statements).isNotEmpty().noneMatch(sql -> sql.contains("STRAIGHT_JOIN"));
    }

    @Test
    void aCheckThatMetALockOfAnotherProcessIsRepeated() throws SQLException {
        try (Connection elsewhere = database.dataSource().getConnection()) {
            elsewhere.setAutoCommit(false);
            InterceptedDataSource disturbed = new InterceptedDataSource(database.dataSource(), (connection, sql) -> {
                if (sql.contains("STRAIGHT_JOIN")) {
                    lockAllThatIsFree(elsewhere);
                }
            });
            statements(ofUnknownServer);
            try (SessionPool sessions = new SessionPool(disturbed, dialect, 1)) {
                ofUnknownServer.inBackground(sessions);
            }
            elsewhere.rollback();
        }
        assertThat(statements(ofUnknownServer)).noneMatch(sql -> sql.contains("STRAIGHT_JOIN"));
        ofUnknownServer.inBackground(pool);
        assertThat(statements(ofUnknownServer)).anyMatch(sql -> sql.contains("STRAIGHT_JOIN"));
    }

    private static void lockAllThatIsFree(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.executeQuery("SELECT bucket FROM hier_lock_buckets WHERE level = 0 FOR UPDATE SKIP LOCKED");
        }
    }

    @Test
    void aServerThatLocksInAnotherOrderDoesNotPass() throws SQLException {
        JoinOrderCheck backwards = new JoinOrderCheck(
                (session, locks) -> {
                    List<ServerLock> reversed = new ArrayList<>(locks);
                    Collections.reverse(reversed);
                    dialect.takeByJoin(session, reversed);
                },
                dialect::take);
        assertThat(backwards.passes(pool, holder.server.version())).isFalse();
    }

    @Test
    void aServerThatLocksNothingDoesNotPass() throws SQLException {
        assertThat(new JoinOrderCheck((session, locks) -> {}, dialect::take).passes(pool, holder.server.version()))
                .isFalse();
        assertThat(new JoinOrderCheck(dialect::takeByJoin, dialect::take).passes(pool, holder.server.version()))
                .isTrue();
    }

    /** The statements by which a dialect takes two locks. */
    private List<String> statements(MySqlDialect some) throws SQLException {
        List<String> statements = new ArrayList<>();
        InterceptedDataSource dataSource =
                new InterceptedDataSource(database.dataSource(), (connection, sql) -> statements.add(sql));
        SessionPool watched = new SessionPool(dataSource, some, 1);
        LockSession session = watched.connect(Duration.ofMinutes(10));
        some.tryAll(session, shuffledLocks(2));
        session.restoreAndClose();
        watched.close();
        return statements;
    }

    private List<ServerLock> shuffledLocks(int size) {
        List<ServerLock> locks = new ArrayList<>(IntStream.range(0, size)
                .mapToObj(i -> lock(i, random.nextBoolean() ? LockMode.EXCLUSIVE : LockMode.INTENT_SHARED))
                .toList());
        Collections.shuffle(locks, random);
        return locks;
    }

    private ServerLock lock(int i, LockMode mode) {
        return rows == RowTable.IDS
                ? ServerLock.named(USERS.get(i).toString(), new PlannedLock(USERS.get(i), mode))
                : ServerLock.numbered(1, (long) (i % 3) << 32 | (i * 7L), new PlannedLock(USER, mode));
    }

    private static ServerLock exclusive(ServerLock lock) {
        return new ServerLock(lock.row(), lock.slot(), true, lock.wanted());
    }

    private List<String> data(List<ServerLock> locks) {
        return locks.stream()
                .map(lock -> (lock.exclusive() ? "X" : "S") + ",REC_NOT_GAP " + data(lock))
                .toList();
    }

    private String data(ServerLock lock) {
        return rows == RowTable.IDS
                ? "0x"
                        + HexFormat.of()
                                .withUpperCase()
                                .formatHex(lock.row().id().getBytes(StandardCharsets.UTF_8))
                : (lock.slot() >>> 32) + ", " + (lock.slot() & 0xFFFF_FFFFL);
    }

    private List<String> rowsLockedBy(LockSession session) throws SQLException {
        String query = """
                SELECT locks.LOCK_MODE, locks.LOCK_DATA
                  FROM performance_schema.data_locks locks
                  JOIN performance_schema.threads threads ON threads.THREAD_ID = locks.THREAD_ID
                 WHERE threads.PROCESSLIST_ID = ? AND locks.LOCK_TYPE = 'RECORD'""";
        try (Connection watcher = database.database().server().connect();
                PreparedStatement statement = watcher.prepareStatement(query)) {
            statement.setLong(1, session.serverId);
            try (ResultSet row = statement.executeQuery()) {
                List<String> locked = new ArrayList<>();
                while (row.next()) {
                    locked.add(row.getString(1) + " " + row.getString(2));
                }
                return locked;
            }
        }
    }
}
