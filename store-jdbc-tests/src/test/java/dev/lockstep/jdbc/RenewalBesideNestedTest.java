package dev.lockstep.jdbc;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.ReleaseOutcome;
import dev.lockstep.testkit.Tenancy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
class RenewalBesideNestedTest {
    private static final Duration TERM = Duration.ofSeconds(15);
    private static final Duration LONG = Duration.ofMinutes(3);

    @ParameterizedTest
    @EnumSource
    void leasesStayWhileANestedRequestWaitsAndNoConnectionIsLeft(Server server) throws Exception {
        int connections = server == Server.POSTGRES ? 3 : 2; // one shows the kinds
        try (LockDatabase database = LockDatabase.on(server);
                Pool.Open pool = Pool.HIKARI.open(database.database(), connections);
                Locks others = database.patientLocks();
                Locks locks = Locks.builder(server.store(pool.dataSource(), 2))
                        .defaultTerm(TERM)
                        .defaultWait(LONG)
                        .orderPolicy(OrderPolicy.OFF)
                        .build()) {
            try (Lease theirs = others.acquire(exclusive(Tenancy.account("u1", "a1")));
                    Lease unrelated = CompletableFuture.supplyAsync(() -> locks.acquire(exclusive(Tenancy.user("u2"))))
                            .get();
                    Lease outer = locks.acquire(exclusive(Tenancy.user("u0")))) {
                FutureTask<Lease> nested =
                        new FutureTask<>(outer.bind(() -> locks.acquire(exclusive(Tenancy.account("u1", "a1")))));
                new Thread(nested, "nested").start();
                await().until(() -> database.waits() > 0 || nested.isDone());
                Instant end = Instant.now().plus(TERM).plusSeconds(2);
                await().atMost(LONG).until(() -> Instant.now().isAfter(end));
                assertThat(nested).isNotDone();
                assertThat(unrelated.isHeld()).isTrue();
                assertThat(outer.isHeld()).isTrue();
                theirs.release();
                assertThat(nested.get(4, TimeUnit.MINUTES).release()).isEqualTo(ReleaseOutcome.RELEASED);
                assertThat(outer.release()).isEqualTo(ReleaseOutcome.RELEASED);
                assertThat(unrelated.release()).isEqualTo(ReleaseOutcome.RELEASED);
            }
        }
    }
}
