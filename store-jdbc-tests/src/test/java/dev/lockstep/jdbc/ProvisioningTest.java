package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindMismatchException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProvisioningTest extends ProvisioningStage {
    private static final String COUNTS =
            "SELECT level, COUNT(*), MIN(bucket), MAX(bucket) FROM hier_lock_buckets GROUP BY level ORDER BY level";

    @Test
    void everyKindGetsItsRows() throws SQLException {
        ProvisioningReport report = tenancy().run();

        assertThat(report.inserted()).isEqualTo(750);
        assertThat(report.alreadyThere()).isZero();
        assertThat(rows(COUNTS)).containsExactly("0 250 0 249", "1 250 0 249", "2 250 0 249");
        assertThat(rows("SELECT name, value FROM hier_lock_settings ORDER BY name"))
                .containsExactly("buckets 250", "hash fnv1a32", "layout buckets");
        assertThat(rows("SELECT * FROM hier_lock_kinds ORDER BY level"))
                .containsExactly("user 0 null 0 0 0 1", "account 1 user 1 1 0 1", "resource 2 account 2 2 1 1");
        assertThat(tenancy().missing().isEmpty()).isTrue();
    }

    @Test
    void aSecondRunMakesNothing() {
        tenancy().run();
        List<ProvisioningProgress> heard = new ArrayList<>();
        ProvisioningReport second = tenancy().chunk(7).listener(heard::add).run();

        assertThat(second.inserted()).isZero();
        assertThat(second.alreadyThere()).isEqualTo(750);
        assertThat(heard).singleElement().satisfies(progress -> {
            assertThat(progress.rowsDone()).isEqualTo(750);
            assertThat(progress.rowsTotal()).isEqualTo(750);
        });
    }

    @Test
    void aListenerHearsOfEveryChunkAndCanNotStopTheRun() {
        List<Long> done = new ArrayList<>();
        tenancy()
                .listener(progress -> {
                    done.add(progress.rowsDone());
                    throw new IllegalStateException("a listener that fails");
                })
                .run();
        assertThat(done).containsExactly(100L, 200L, 250L, 350L, 450L, 500L, 600L, 700L, 750L);
    }

    @Test
    void missingRowsAreNamedAndOnlyTheyAreMadeAgain() throws SQLException {
        tenancy().run();
        execute("DELETE FROM hier_lock_buckets WHERE level = 1 AND bucket IN (0, 55, 56, 99, 100, 101, 249)");
        execute("DELETE FROM hier_lock_buckets WHERE level = 2 AND bucket >= 100");

        MissingRows missing = tenancy().missing();
        assertThat(missing.rows()).isEqualTo(157);
        assertThat(missing.ranges())
                .containsExactly(
                        new MissingRange("account", 1, 0, 0),
                        new MissingRange("account", 1, 55, 56),
                        new MissingRange("account", 1, 99, 101),
                        new MissingRange("account", 1, 249, 249),
                        new MissingRange("resource", 2, 100, 249));
        assertThat(missing.toString())
                .contains("buckets 55 to 56 of level 1 (account)")
                .contains("157 rows are missing");

        assertThat(Provisioning.of(dataSource).run().inserted()).isEqualTo(157);
        assertThat(rows(COUNTS)).containsExactly("0 250 0 249", "1 250 0 249", "2 250 0 249");
        assertThat(tenancy().missing()).hasToString("No rows are missing.");
    }

    @Test
    void aCheckListsTheFirstThousandRangesAndCountsAll() throws SQLException {
        tenancy().buckets(4_000).run();
        execute("DELETE FROM hier_lock_buckets WHERE bucket % 2 = 1");
        MissingRows missing = tenancy().buckets(4_000).missing();
        assertThat(missing.ranges()).hasSize(1_000);
        assertThat(missing.rows()).isEqualTo(6_000);
    }

    @Test
    void lockedRowsDoNotHoldUpARepair() throws SQLException {
        tenancy().run();
        execute("DELETE FROM hier_lock_buckets WHERE bucket = 7");
        try (Connection holder = dataSource.getConnection();
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("SELECT * FROM hier_lock_buckets WHERE level = 0 AND bucket = 8 FOR UPDATE");
            assertThat(tenancy().run().inserted()).isEqualTo(3);
            holder.rollback();
        }
    }

    @Test
    void aKindThatComesLaterGetsTheNextLevel() throws SQLException {
        tenancy().run();
        Provisioning later = Provisioning.of(dataSource).kinds(Crafts.CUBE, Crafts.DEVICE);
        assertThat(later.missing().kinds()).containsExactly("cube", "device");

        assertThat(later.run().inserted()).isEqualTo(500);
        assertThat(rows("SELECT prefix, lock_rank, level FROM hier_lock_kinds ORDER BY lock_rank"))
                .containsExactly("user 0 0", "account 1 1", "resource 2 2", "device 7 3", "cube 30 4");
        assertThat(tables().kinds()).hasSize(5);
    }

    @Test
    void anotherNumberOfBucketsIsRefused() {
        tenancy().run();
        assertThatThrownBy(() -> tenancy().buckets(300).run())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("has 250 buckets per level, and 300 were asked for")
                .hasMessageContaining("buckets(250)")
                .hasMessageContaining("DROP TABLE");
        assertThatThrownBy(() -> tenancy().buckets(200).missing()).hasMessageContaining("has 250 buckets");
        assertThatThrownBy(() -> Provisioning.of(dataSource).ids(List.of()).run())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("stand for buckets, and ids were asked for");
    }

    @Test
    void aNumberThatIsOnlyForNewDatabasesGivesWayToTheRecordedOne() throws SQLException {
        tenancy().run();
        Provisioning.of(dataSource).kinds(Crafts.CUBE).bucketsIfNew(10).run();
        assertThat(rows(COUNTS)).hasSize(4).allMatch(row -> row.endsWith(" 250 0 249"));
        assertThat(tables().buckets()).isEqualTo(250);
    }

    @Test
    void kindsThatContradictTheRecordedOnesAreRefused() throws SQLException {
        tenancy().run();
        assertThatThrownBy(() -> Provisioning.of(dataSource)
                        .kinds(Crafts.OTHER_USER, Crafts.CUBE)
                        .run())
                .isInstanceOf(KindMismatchException.class)
                .hasMessageContaining("user (rank 5")
                .hasMessageContaining("user (rank 0");
        assertThatThrownBy(() -> Provisioning.of(dataSource)
                        .kinds(Crafts.SAME_RANK_AS_ACCOUNT)
                        .run())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("'account' and 'guild' both have rank 1");
        assertThat(tables().kinds()).hasSize(3);
    }

    @Test
    void withoutKindsAnywhereItSaysSo() throws SQLException {
        assertThatThrownBy(() -> Provisioning.of(dataSource).run()).hasMessageContaining("Name them");
        assertThat(Provisioning.of(dataSource).definitions(List.of()).run().inserted())
                .isZero();
        assertThat(tables().kinds()).isEmpty();
    }
}
