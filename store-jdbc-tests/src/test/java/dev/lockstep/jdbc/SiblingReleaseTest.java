package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Deadline;
import dev.lockstep.core.LockClock;
import dev.lockstep.jdbc.slots.AcquisitionAttempt;
import dev.lockstep.jdbc.slots.AdvisorySlots;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.util.AbstractList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A nested lease is released while another thread ends its sibling. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class SiblingReleaseTest {
    private static final Duration LONG = Duration.ofMinutes(2);

    private final Dialect dialect = new PostgresDialect("siblings");

    private static TransactionRequest request(String user) {
        return new TransactionRequest(exclusive(Tenancy.user(user)), Deadline.in(LONG, LockClock.system()));
    }

    private static List<ServerLock> locks(String user) {
        return new AdvisorySlots("siblings").of(request(user).plan());
    }

    private static JdbcGrant nested(String user, List<ServerLock> locks, LockSession session) {
        JdbcGrant grant =
                new JdbcGrant(new AcquisitionAttempt(request(user), locks), session, true, 1, System.nanoTime());
        session.grants.add(grant);
        return grant;
    }

    /** Locks that end a sibling as soon as they are read. */
    private static List<ServerLock> ending(JdbcGrant sibling, List<ServerLock> locks) {
        return new AbstractList<>() {
            @Override
            public ServerLock get(int index) {
                sibling.ended = true;
                return locks.get(index);
            }

            @Override
            public int size() {
                return locks.size();
            }
        };
    }

    @Test
    void theLocksOfBothAreReleased() throws Exception {
        try (LockDatabase database = LockDatabase.on(Server.POSTGRES);
                SessionPool pool = new SessionPool(database.dataSource(), dialect, 2)) {
            LockSession session = pool.connect(LONG);
            for (String user : List.of("u1", "u2")) {
                dialect.beginNested(session);
                dialect.keepNested(session, locks(user));
            }
            JdbcGrant sibling = nested("u1", locks("u1"), session);
            nested("u2", ending(sibling, locks("u2")), session).ended = true;
            Transactions transactions = new Transactions(pool, "siblings");
            assertThat(transactions.leave(session)).isTrue();
            assertThat(session.grants).containsExactly(sibling);
            assertThat(transactions.leave(session)).isTrue();
            assertThat(locks("u1")).noneMatch(dialect.stillHeld(session));
            assertThat(locks("u2")).noneMatch(dialect.stillHeld(session));
        }
    }
}
