package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Flags of {@code lockstep serve} that would do nothing are refused, before anything is connected to or made. */
@Tag("once")
class ServeFlagsTest {
    @ParameterizedTest
    @CsvSource({
        "--provision, --store memory --provision",
        "--provision, --store redis://127.0.0.1:1 --provision",
        "--provision, --store jdbc:postgresql://127.0.0.1:1/none --kind user:0 --provision",
        "--peer, --store memory --peer b=http://127.0.0.1:1",
        "--data, --store memory --demo --data elsewhere",
        "--data, --store jdbc:mariadb://127.0.0.1:1/none --kind user:0 --data elsewhere",
        "--inventory-user, --store memory --inventory-user shop"
    })
    void areRefused(String flag, String args) {
        Run run = Run.of(("serve --port 0 " + args).split(" ", -1));
        assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).startsWith("error: ").contains("Leave " + flag + " out.");
        assertThat(run.out()).isEmpty();
    }
}
