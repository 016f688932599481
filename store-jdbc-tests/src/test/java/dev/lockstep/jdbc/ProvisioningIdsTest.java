package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockKey;
import dev.lockstep.jdbc.tables.KindLevel;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.testkit.Tenancy;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Rows that stand for ids. */
class ProvisioningIdsTest extends ProvisioningStage {
    private static final String KEYS = "SELECT lock_key FROM hier_locks ORDER BY lock_key";

    private Provisioning ids(LockKey... keys) {
        return Provisioning.of(dataSource).ids(List.of(keys));
    }

    @Test
    void keysAndTheirAncestorsGetRows() throws SQLException {
        ProvisioningReport report = ids(Tenancy.resource("u1", "a1", "r1"), Tenancy.account("u1", "a2"))
                .run();

        assertThat(report.inserted()).isEqualTo(4);
        assertThat(rows(KEYS))
                .containsExactly(
                        "user:u1", "user:u1/account:a1", "user:u1/account:a1/resource:r1", "user:u1/account:a2");
        assertThat(rows("SELECT name, value FROM hier_lock_settings")).containsExactly("layout ids");
        assertThat(tables().layout()).isEqualTo(Layout.IDS);
        assertThat(tables().buckets()).isZero();
        assertThat(tables().kinds()).extracting(KindLevel::prefix).containsExactly("user", "account", "resource");
    }

    @Test
    void keysCanBeAddedAndTakenAwayOnesAreNamed() throws SQLException {
        ids(Tenancy.user("u1")).run();
        Provisioning more = ids(Tenancy.user("u1"), Tenancy.user("u2"), Tenancy.user("u3"));
        assertThat(more.missing().keys()).containsExactly("user:u2", "user:u3");
        assertThat(more.run()).satisfies(report -> {
            assertThat(report.inserted()).isEqualTo(2);
            assertThat(report.alreadyThere()).isEqualTo(1);
        });
        execute("DELETE FROM hier_locks WHERE lock_key = 'user:u2'");
        assertThat(more.missing().toString()).contains("key user:u2").contains("1 row is missing");
        assertThat(more.run().inserted()).isEqualTo(1);
        assertThat(more.missing().isEmpty()).isTrue();
    }

    @Test
    void idsDifferInCaseAccentsAndTrailingBlanks() throws SQLException {
        LockKey[] keys = Stream.of("a", "A", "ä", "a ", "a'", "a\\", "日本", "\u0000")
                .map(Tenancy::user)
                .toArray(LockKey[]::new);
        assertThat(ids(keys).run().inserted()).isEqualTo(8);
        assertThat(ids(keys).missing().isEmpty()).isTrue();
    }

    @Test
    void moreKeysThanGoIntoOneStatement() {
        List<LockKey> keys =
                IntStream.range(0, 2_500).mapToObj(i -> Tenancy.user("u" + i)).toList();
        assertThat(Provisioning.of(dataSource).ids(keys).run().inserted()).isEqualTo(2_500);
        assertThat(Provisioning.of(dataSource).ids(keys).run().alreadyThere()).isEqualTo(2_500);
    }

    @Test
    void theScriptMakesTheSameRows() throws SQLException {
        Provisioning provisioning = ids(Tenancy.resource("u1", "a'1", "日本 \\"), Tenancy.user("u2"));
        ScriptRunner.run(provisioning.script(), dataSource);
        assertThat(provisioning.missing().isEmpty()).isTrue();
        assertThat(provisioning.run().inserted()).isZero();
        assertThat(rows("SELECT * FROM hier_lock_kinds ORDER BY level"))
                .containsExactly("user 0 null 0 0 0 1", "account 1 user 1 1 0 1", "resource 2 account 2 2 1 1");
    }

    @Test
    void bucketsAreRefusedWhereRowsStandForIds() throws SQLException {
        ids(Tenancy.user("u1")).run();
        assertThatThrownBy(() -> tenancy().run())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("stand for ids, and buckets were asked for");
        assertThat(rows("SELECT name FROM hier_lock_settings")).containsExactly("layout");
        assertThatThrownBy(() -> ids(Tenancy.user("u1")).buckets(10).run()).hasMessageContaining("leave one out");
    }

    @Test
    void kindsAloneCanBeRecorded() throws SQLException {
        ids().run();
        Provisioning.of(dataSource).kinds(Crafts.CUBE).run();
        assertThat(tables().find("cube")).isPresent();
    }

    @Test
    void aKeyThatFitsIntoNoIndexIsRefused() {
        LockKey key = Tenancy.account("u".repeat(2_000), "a".repeat(1_100));
        assertThatThrownBy(() -> ids(key))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("3072 bytes");
    }
}
