package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.KindMismatchException;
import dev.lockstep.core.LockException;
import dev.lockstep.jdbc.tables.KindLevel;
import dev.lockstep.jdbc.tables.Layout;
import dev.lockstep.jdbc.tables.LockTables;
import dev.lockstep.testkit.Tenancy;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LockTablesTest extends ProvisioningStage {
    private void assertFails(String... parts) {
        assertThatThrownBy(this::tables)
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_FAILED))
                .message()
                .contains(parts);
    }

    @Test
    void whatIsRecordedCanBeReadBack() throws SQLException {
        tenancy().run();
        LockTables tables = tables();
        assertThat(tables.layout()).isEqualTo(Layout.BUCKETS);
        assertThat(tables.buckets()).isEqualTo(250);
        assertThat(tables.find("resource")).contains(new KindLevel(KindDefinition.of(Tenancy.RESOURCE), 2));
        assertThat(tables.find("cube")).isEmpty();
        assertThat(tables.kinds()).extracting(KindLevel::level).containsExactly(0, 1, 2);
        assertThat(tables.missing(KindDefinition.chain(Tenancy.RESOURCE))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"hier_lock_settings", "hier_lock_kinds", "hier_lock_buckets"})
    void aMissingTableIsNamedWithTheWayOut(String table) throws SQLException {
        tenancy().run();
        execute("DROP TABLE " + table);
        assertFails(
                "The table " + table + " is missing in the database '" + database.name(),
                "Provisioning.of(dataSource)");
        tenancy().run();
        assertThat(tenancy().missing().isEmpty()).isTrue();
    }

    @Test
    void tablesWithoutRowLocksAreRefused() throws SQLException {
        tenancy().run();
        execute("ALTER TABLE hier_lock_buckets ENGINE = MyISAM");
        assertFails("hier_lock_buckets has the storage engine MyISAM", "ENGINE = InnoDB");
    }

    @ParameterizedTest
    @ValueSource(strings = {"layout = 'trees'", "hash = 'crc32'", "buckets = '-1'", "buckets = '2147483648'"})
    void settingsOfAnotherVersionAreRefused(String setting) throws SQLException {
        tenancy().run();
        String[] parts = setting.split(" = ", 2);
        execute("UPDATE hier_lock_settings SET value = " + parts[1] + " WHERE name = '" + parts[0] + "'");
        assertFails("hier_lock_settings says " + setting);
    }

    @Test
    void settingsThatAreGoneAreAnUnfinishedProvisioning() throws SQLException {
        tenancy().run();
        execute("DELETE FROM hier_lock_settings");
        assertFails("hier_lock_settings is empty");
    }

    @Test
    void kindsWhoseRowsWereNeverAllThereAreMissing() throws SQLException {
        tenancy().run();
        execute("UPDATE hier_lock_kinds SET filled = FALSE WHERE prefix = 'account'");
        assertThat(tables().missing(KindDefinition.chain(Tenancy.RESOURCE)))
                .containsExactly(KindDefinition.of(Tenancy.ACCOUNT));
        assertThat(tables().find("account")).isEmpty();
        assertThat(tenancy().missing().kinds()).containsExactly("account");

        tenancy().run();
        assertThat(tables().find("account")).isPresent();
    }

    @Test
    void unknownKindsAreMissingAndContradictingOnesRefused() throws SQLException {
        tenancy().run();
        LockTables tables = tables();
        KindDefinition cube = KindDefinition.of(Crafts.CUBE);
        assertThat(tables.missing(List.of(cube, KindDefinition.of(Tenancy.USER))))
                .containsExactly(cube);
        assertThatThrownBy(() -> tables.missing(List.of(KindDefinition.of(Crafts.OTHER_USER))))
                .isInstanceOf(KindMismatchException.class);
        assertThatThrownBy(() -> tables.missing(List.of(KindDefinition.of(Crafts.SAME_RANK_AS_ACCOUNT))))
                .isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void anotherLayoutOrNumberThanTheRecordedOneIsRefused() throws SQLException {
        tenancy().run();
        LockTables tables = tables();
        tables.requireBuckets(250);
        tables.requireLayout(Layout.BUCKETS);
        assertThatThrownBy(() -> tables.requireBuckets(251))
                .hasMessageContaining("250")
                .hasMessageContaining("251");
        assertThatThrownBy(() -> tables.requireLayout(Layout.IDS)).isInstanceOf(InvalidRequestException.class);
    }
}
