package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.cli.terminal.Terminal;
import org.junit.jupiter.api.Test;

/** What is wrong with a command line of {@code lockstep inventory} is said without a database. */
class InventoryFlagsTest {
    private static void assertUsage(Run run, String... said) {
        assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains(said);
    }

    @Test
    void aStoreWithoutStockIsRefused() {
        assertUsage(
                Run.of("inventory", "stock", "S", "--store", "redis://127.0.0.1:1"),
                "Stock is in a database, and redis://127.0.0.1:1 is none",
                "--inventory URL");
        assertUsage(Run.of("inventory", "stock", "S", "--store", "memory"), "Stock is in a database");
    }

    @Test
    void twoDatabasesAndUnusedFlagsAreRefused() {
        String url = "jdbc:postgresql://127.0.0.1:1/x";
        assertUsage(
                Run.of("inventory", "stock", "S", "--store", url, "--inventory", url),
                "--inventory and --store are both given");
        assertUsage(Run.of("inventory", "stock", "S", "--inventory", url, "--user", "u"), "Leave --user out");
        assertUsage(
                Run.of("inventory", "stock", "S", "--store", url, "--inventory-user", "u"),
                "Leave --inventory-user out");
    }

    @Test
    void whatIsMissingIsNamed() {
        assertUsage(Run.of("inventory"), "Which command?", "Try: lockstep inventory --help");
        assertUsage(Run.of("inventory", "stock"), "SKU", "Try: lockstep inventory stock --help");
        assertUsage(Run.of("inventory", "stock", "S"), "Which store?");
        assertUsage(Run.of("inventory", "adjust", "S", "L", "--by", "1"), "--reason");
        assertUsage(Run.of("inventory", "retain"), "--days");
    }

    @Test
    void aDatabaseThatIsNotThereIsUnreachable() {
        Run run = Run.of("inventory", "stock", "S", "--inventory", "jdbc:postgresql://127.0.0.1:1/x");
        assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.UNREACHABLE.number());
    }

    @Test
    void eachCommandHasHelp() {
        assertThat(Run.of("inventory", "--help").out())
                .contains("stock", "reservation", "ledger", "reconcile", "repair", "adjust", "retain");
        for (String command : Lockstep.commandLine(Terminal.ofProcess())
                .getSubcommands()
                .get("inventory")
                .getSubcommands()
                .keySet()) {
            Run help = Run.of("inventory", command, "--help");
            assertThat(help.code()).as(help.all()).isZero();
            assertThat(help.out()).startsWith("Usage: lockstep inventory " + command);
        }
    }
}
