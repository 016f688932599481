package dev.lockstep.jdbc;

import static dev.lockstep.jdbc.EpochDatabase.PAIR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.spi.Epoch;
import dev.lockstep.core.spi.EpochRegister;
import java.sql.SQLException;
import java.time.Instant;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** The table of epochs is made by whoever sets the pair up, and by nobody else. */
@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@ParameterizedClass
@EnumSource
class EpochTableTest {
    @Parameter
    Server server;

    private EpochDatabase database;
    private EpochTable table;

    @BeforeEach
    void create() throws SQLException {
        database = EpochDatabase.on(server);
        table = EpochTable.on(database.dataSource());
    }

    @AfterEach
    void drop() throws SQLException {
        database.close();
    }

    @Test
    void aNewRowIsClosedAndBeginsWithTheTime() {
        assertThat(table.isProvisioned(PAIR)).isFalse();
        assertThat(table.provision(PAIR)).isTrue();
        assertThat(table.isProvisioned(PAIR)).isTrue();
        Epoch first = database.open().read();
        assertThat(first.open()).isFalse();
        assertThat(first.number()).isCloseTo(Instant.now().getEpochSecond(), within(300L));
    }

    @Test
    void provisioningAgainChangesNothing() {
        table.provision(PAIR);
        EpochRegister register = database.open();
        Epoch changed = register.read().switched().opened().objected().withTerms("terms");
        assertThat(register.replace(register.read(), changed)).isTrue();
        assertThat(table.provision(PAIR)).isFalse();
        assertThat(register.read()).isEqualTo(changed);
    }

    @Test
    void theScriptDoesTheSameAndCanBeRunTwice() throws SQLException {
        String script = EpochTable.script(server.product(), PAIR);
        for (int i = 0; i < 2; i++) {
            for (String sql : Pattern.compile(";\n").splitAsStream(script).toList()) {
                database.run(sql);
            }
        }
        database.open().requireUsable();
        assertThat(table.provision(PAIR)).isFalse();
    }

    @Test
    void pairsHaveRowsOfTheirOwnWhateverTheirNamesAre() {
        String odd = "a'b\\c \u65e5\u672c %_ ";
        String[] names = {"a", "A", "a ", odd};
        for (String name : names) {
            assertThat(table.provision(name)).as(name).isTrue();
        }
        EpochRegister register =
                database.store(database.dataSource()).epochs(odd).orElseThrow();
        assertThat(register.replace(register.read(), register.read().switched()))
                .isTrue();
        EpochRegister other = database.store(database.dataSource()).epochs("a").orElseThrow();
        assertThat(other.read().side()).isEqualTo(Epoch.Side.PRIMARY);
    }

    @Test
    void aMissingTableAndAMissingRowAreRefusedWithTheCommand() throws SQLException {
        assertRefused();
        assertThat(table.isProvisioned(PAIR)).isFalse();
        table.provision("another");
        assertRefused();
        assertThat(table.isProvisioned(PAIR)).isFalse();
    }

    private void assertRefused() {
        assertThatThrownBy(() -> database.open().requireUsable())
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("./lockstep provision --epochs --pair pair --store")
                .hasMessageContaining("EpochTable.on(dataSource).provision(\"pair\")");
    }

    @Test
    void aNameThatCantBeIsRefused() {
        assertThatThrownBy(() -> table.provision(" ")).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> table.provision("x".repeat(65))).isInstanceOf(InvalidRequestException.class);
        assertThatThrownBy(() -> EpochTable.script("Oracle", PAIR))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContaining("PostgreSQL");
    }
}
