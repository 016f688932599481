package dev.lockstep.jdbc;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.KindMismatchException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.spi.KindRegistry;
import dev.lockstep.jdbc.sql.DatabaseErrors;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/*
 * How processes agree on kinds without a table
 * --------------------------------------------
 * Each process keeps one connection that holds a shared advisory lock, that of the advertisements, and begins all of its statements with a
 * comment that names the kinds of the process. PostgreSQL shows to every user which session holds which lock, and the last statement of each. So the sessions
 * with that lock are all processes of the namespace, their statements are their declarations, and both end with the process.
 *
 * A process that declares a kind holds a mutex while it reads other declarations and until its own is visible. Hence of two that declare
 * a kind differently at the same time, one sees the other. The mutex belongs to a transaction, which the server ends when the
 * process freezes in it.
 */

/** The kinds that the live processes of a namespace show each other on PostgreSQL. */
final class KindAdvertisement implements InspectionSession.ConnectionListener {
    private static final Logger LOG = LoggerFactory.getLogger(KindAdvertisement.class);
    private static final long LONGEST_CALL = TimeUnit.SECONDS.toNanos(15);

    /** How long the server may take to notice that a process is gone. */
    private static final long LEAVING = TimeUnit.MILLISECONDS.toNanos(100);

    private final InspectionSession inspection;
    private final String namespace;
    private final AdvertisementSql sql;
    private final AdvertisementPages pages;
    private final KindRegistry own = new KindRegistry();
    private boolean warned;
    private volatile boolean failing;

    KindAdvertisement(InspectionSession inspection, String namespace) {
        this.inspection = inspection;
        this.namespace = namespace;
        sql = new AdvertisementSql(namespace);
        pages = new AdvertisementPages(inspection, sql);
    }

    // ---- declaring

    /** Declares kinds, all or none; refuses those that a live process of the namespace declared differently. */
    void declare(List<KindDefinition> definitions) {
        if (isDeclared(definitions)) {
            return;
        }
        with(definitions); // what contradicts this process is refused at once
        boolean interrupted = Thread.interrupted(); // some pools give an interrupted thread no connection
        try {
            add(definitions);
        } catch (KindMismatchException | InvalidRequestException e) {
            LockSupport.parkNanos(this, LEAVING);
            add(definitions);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private boolean isDeclared(List<KindDefinition> definitions) {
        return definitions.stream().allMatch(each -> own.find(each.prefix()).equals(Optional.of(each)));
    }

    private List<KindDefinition> with(List<KindDefinition> definitions) {
        KindRegistry all = new KindRegistry();
        all.declare(own.definitions());
        all.declare(definitions);
        return all.definitions();
    }

    private void add(List<KindDefinition> definitions) {
        try {
            inspection.use(LONGEST_CALL, session -> {
                if (!isDeclared(definitions)) {
                    publish(session, with(definitions), seen -> requireSame(seen, definitions));
                    own.declare(definitions);
                }
                return true;
            });
        } catch (SQLException e) {
            throw DatabaseErrors.of(e, "Declaring kinds, on a connection that the store keeps for them,");
        }
    }

    private static void requireSame(List<KindDefinition> known, List<KindDefinition> declared) {
        KindRegistry both = new KindRegistry();
        both.declare(known);
        both.declare(declared);
    }

    // ---- publishing

    private void publish(LockSession session, List<KindDefinition> kinds, Consumer<List<KindDefinition>> check)
            throws SQLException {
        List<String> comments = KindText.comments(namespace, kinds, sql.capacity(session));
        pages.provide(comments.size() - 1); // before the mutex is held: a pool may take its time
        sql.begin(session);
        try {
            others(session).forEach(check);
            pages.show(comments.subList(1, comments.size()));
            sql.show(session, comments.get(0));
            sql.commit(session);
        } catch (LockException e) {
            sql.rollback(session);
            throw e;
        }
    }

    private List<List<KindDefinition>> others(LockSession session) throws SQLException {
        Set<Long> mine = LongStream.concat(LongStream.of(session.serverId), pages.serverIds())
                .boxed()
                .collect(Collectors.toSet());
        List<KindText.Seen> seen = sql.others(session, mine).stream()
                .map(statement -> KindText.read(statement, namespace))
                .toList();
        warnOnce(seen.stream().filter(each -> !each.whole()).count());
        return seen.stream().map(KindText.Seen::kinds).toList();
    }

    private void warnOnce(long unread) {
        if (unread > 0 && !warned) {
            warned = true;
            LOG.warn(
                    "Not all kinds of other processes in namespace '{}' can be read (sessions that hide or cut them: {}), so those that"
                            + " are declared differently there go unnoticed. Use the same database user in all processes, or grant"
                            + " pg_read_all_stats; keep track_activities on, and raise track_activity_query_size.",
                    namespace,
                    unread);
        }
    }

    // ---- staying on it

    @Override
    public void opened(LockSession session) throws SQLException {
        inspection.call(session, LONGEST_CALL, () -> publishAgain(session));
    }

    @Override
    public void closed() {
        pages.close();
    }

    /** What was declared already is shown even if it is contradicted by now, so that no further process declares it. */
    private boolean publishAgain(LockSession session) throws SQLException {
        boolean any = !own.definitions().isEmpty();
        if (any) {
            publish(session, own.definitions(), this::complain);
        }
        return any;
    }

    private void complain(List<KindDefinition> theirs) {
        try {
            requireSame(theirs, own.definitions());
        } catch (LockException e) {
            LOG.error(
                    "While this process had no connection to the database, another one declared a kind differently. They don't exclude"
                            + " each other: stop one of them. {}",
                    e.getMessage());
        }
    }

    /** Looks whether the kinds are still shown, and shows them again if not. To be called from time to time. */
    void check() {
        if (own.definitions().isEmpty()) {
            return;
        }
        try {
            inspection.use(LONGEST_CALL, session -> {
                AdvertisementSql.confirm(session);
                return pages.confirm() || publishAgain(session);
            });
            failing = false;
        } catch (SQLException | LockException e) {
            if (!failing && !inspection.isClosed()) {
                failing = true;
                LOG.warn(
                        "The kinds of this process can't be shown to others until the database is back: {}",
                        e.getMessage());
            }
        }
    }
}
