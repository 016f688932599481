package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.UsesServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
@UsesServer(ServerKind.POSTGRES)
class ProvisioningElsewhereTest {
    @Test
    void aDatabaseThatNeedsNoRowsIsRefused(TestDatabase database) {
        Provisioning provisioning = Provisioning.of(Databases.of(database)).kinds(Tenancy.values());
        assertThatThrownBy(provisioning::run)
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("PostgreSQL need no rows");
    }
}
