package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.KindDefinition;
import dev.lockstep.jdbc.provisioning.BucketRows;
import dev.lockstep.jdbc.provisioning.Chunks;
import dev.lockstep.jdbc.provisioning.ProvisioningSession;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** Runs that are killed, and runs that meet. */
class ProvisioningTogetherTest extends ProvisioningStage {
    private static final int BUCKETS = 10_000;
    private static final int CHUNK = 100;

    /** A process that provisions and says how far it is, up to where it is killed. */
    static final class Child {
        static final int LINES = 20;

        public static void main(String[] args) {
            AtomicInteger lines = new AtomicInteger();
            provisioning(new DriverManagerDataSource(args[0], args[1], args[2]))
                    .listener(progress -> {
                        System.out.println(progress);
                        if (lines.incrementAndGet() == LINES) {
                            new CompletableFuture<Void>().join();
                        }
                    })
                    .run();
        }
    }

    private static Provisioning provisioning(DataSource dataSource) {
        return Provisioning.of(dataSource)
                .kinds(Tenancy.values())
                .buckets(BUCKETS)
                .chunk(CHUNK);
    }

    @Test
    void aRunThatWasKilledIsTakenUpWhereItEnded() throws Exception {
        try (ChildJvm child = ChildJvm.start(Child.class, database.jdbcUrl(), database.user(), database.password())) {
            for (int line = 0; line < Child.LINES; line++) {
                assertThat(child.answer()).contains("of 30,000 rows");
            }
            child.kill();
            assertThat(child.exitCode()).as("killed, not finished").isEqualTo(128 + 9);
        }
        assertThat(tables().missing(KindDefinition.chain(Tenancy.RESOURCE)))
                .as("half filled")
                .isNotEmpty();

        ProvisioningReport report = provisioning(dataSource).run();
        assertThat(report.inserted() + report.alreadyThere()).isEqualTo(3L * BUCKETS);
        assertThat(report.inserted()).isBetween(1L, 3L * BUCKETS - Child.LINES * CHUNK);
        assertComplete();
    }

    private static <T> CompletableFuture<T> start(Supplier<T> task) {
        return CompletableFuture.supplyAsync(task, command -> new Thread(command).start());
    }

    @Test
    void runsAtTheSameTimeShareTheWork() throws SQLException {
        List<CompletableFuture<ProvisioningReport>> runs = IntStream.range(0, 4)
                .mapToObj(i -> CompletableFuture.supplyAsync(
                        () -> provisioning(dataSource).run()))
                .toList();
        long made = runs.stream().mapToLong(run -> run.join().inserted()).sum();
        assertThat(made).as("no row is made twice").isEqualTo(3L * BUCKETS);
        assertComplete();
    }

    @Test
    void kindsOfTwoApplicationsAtTheSameTimeGetLevelsOfTheirOwn() throws SQLException {
        CompletableFuture<ProvisioningReport> ours = start(() -> tenancy().run());
        CompletableFuture<ProvisioningReport> theirs = start(() -> Provisioning.of(dataSource)
                .kinds(Crafts.CUBE, Crafts.FORGE)
                .buckets(250)
                .run());
        CompletableFuture.allOf(ours, theirs).join();
        assertThat(rows("SELECT level FROM hier_lock_kinds ORDER BY level")).containsExactly("0", "1", "2", "3", "4");
        assertThat(rows("SELECT COUNT(*) FROM hier_lock_buckets")).containsExactly("1250");
    }

    @Test
    void whoWaitsForAnotherRunHearsOfIt() throws SQLException {
        List<Duration> waits = new CopyOnWriteArrayList<>();
        CompletableFuture<ProvisioningReport> run;
        try (Connection other = dataSource.getConnection();
                Statement statement = other.createStatement()) {
            statement.execute("DO GET_LOCK(CONCAT('lockstep-provisioning-', MD5(DATABASE())), 10)");
            run = CompletableFuture.supplyAsync(
                    () -> tenancy().listener(new Waits(waits)).run());
            await().until(() -> !waits.isEmpty());
        }
        assertThat(run.join().inserted()).isEqualTo(750);
    }

    private record Waits(List<Duration> waits) implements ProvisioningListener {
        @Override
        public void progress(ProvisioningProgress progress) {}

        @Override
        public void waiting(Duration waited) {
            waits.add(waited);
        }
    }

    /** The turns only spare work: where they don't, as on some clusters, the result is the same. */
    @Test
    void runsWithoutTurnsMakeEveryRowOnceToo() throws SQLException {
        Provisioning.of(dataSource).definitions(List.of()).run();
        List<CompletableFuture<Long>> runs = IntStream.range(0, 3)
                .mapToObj(i -> start(this::fillBesideOthers))
                .toList();
        assertThat(runs.stream().mapToLong(CompletableFuture::join).sum()).isEqualTo(BUCKETS);
        assertThat(rows("SELECT COUNT(*) FROM hier_lock_buckets")).containsExactly(Integer.toString(BUCKETS));
    }

    private long fillBesideOthers() {
        try (ProvisioningSession session = ProvisioningSession.open(dataSource)) {
            Chunks chunks = new Chunks(BUCKETS, CHUNK);
            BucketRows rows = new BucketRows(session.connection(), chunks);
            long made = 0;
            for (int i = 0; i < chunks.count(); i++) {
                int chunk = i;
                made += session.inTransaction(() -> rows.fill(0, chunk));
            }
            return made;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private void assertComplete() throws SQLException {
        assertThat(rows("SELECT level, COUNT(*) FROM hier_lock_buckets GROUP BY level ORDER BY level"))
                .containsExactly("0 " + BUCKETS, "1 " + BUCKETS, "2 " + BUCKETS);
        assertThat(provisioning(dataSource).missing().isEmpty()).isTrue();
        assertThat(tables().kinds()).hasSize(3);
    }
}
