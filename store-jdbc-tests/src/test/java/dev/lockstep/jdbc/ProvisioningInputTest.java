package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKind;
import dev.lockstep.testkit.Tenancy;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.AbstractDataSource;

/** What is refused or answered without a database. */
class ProvisioningInputTest {
    private final Provisioning provisioning = Provisioning.of(failing());

    private static DataSource failing() {
        return new AbstractDataSource() {
            @Override
            public java.sql.Connection getConnection() throws SQLException {
                throw new SQLTransientConnectionException("the pool is empty");
            }

            @Override
            public java.sql.Connection getConnection(String user, String password) throws SQLException {
                return getConnection();
            }
        };
    }

    private record Numbered(int rank) implements LockKind {
        @Override
        public String prefix() {
            return "kind" + rank;
        }
    }

    @Test
    void numbersThatMeanNothingAreRefused() {
        assertThatThrownBy(() -> provisioning.buckets(0))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("Give 1 to 2147483647");
        assertThatThrownBy(() -> provisioning.chunk(0)).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> provisioning.chunk(1_000_001)).isInstanceOf(InvalidRequestException.class);
    }

    @Test
    void thereAreAsManyLevelsAsFitIntoTheColumn() {
        LockKind[] most = IntStream.range(0, 128).mapToObj(Numbered::new).toArray(LockKind[]::new);
        provisioning.kinds(most).kinds(most);
        assertThatThrownBy(() -> provisioning.kinds(new Numbered(128)))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("129 kinds")
                .hasMessageContaining("128");
    }

    @Test
    void aConnectionThatCanNotBeHadIsATypedError() {
        assertThatThrownBy(() -> provisioning.kinds(Tenancy.USER).run())
                .isInstanceOf(LockException.class)
                .hasMessageContaining("Provisioning the lock tables failed")
                .hasMessageContaining("the pool is empty");
    }

    @Test
    void theScriptForTenMillionRowsPerKindIsShortAndNeedsNoDatabase() {
        String script = provisioning.kinds(Tenancy.values()).script();
        assertThat(script.lines().count()).isLessThan(2_000);
        assertThat(script)
                .contains("'buckets' AS name, '10000000' AS value")
                .contains("SELECT level, bucket + 9900000 FROM hier_lock_buckets");
    }
}
