package dev.lockstep.jdbc;

import dev.lockstep.core.spi.EpochRegister;
import dev.lockstep.testkit.EpochRegisterContract;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of registers, on databases: each register has a connection of its own. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource
class DatabaseEpochsContractTest extends EpochRegisterContract {
    @Parameter
    Server server;

    private EpochDatabase database;

    @BeforeEach
    void create() throws SQLException {
        database = EpochDatabase.on(server).provisioned();
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    @Override
    protected EpochRegister open() {
        return database.open();
    }
}
