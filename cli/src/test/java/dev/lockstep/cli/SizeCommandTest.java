package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.TestDatabase;
import dev.lockstep.testservers.TestServers;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SizeCommandTest {
    @Test
    void comparesNumbersAndAdvisesOne() {
        Run run = Run.of("size", "--ids", "1000000", "--held", "200");
        assertThat(run.code()).isZero();
        assertThat(run.lines().get(0)).isEqualTo("1,000,000 ids, 200 of them held");
        assertThat(run.out())
                .contains("10,000,000     280 MB", "1 in 50,000")
                .contains("Take 199,901 buckets or more, such as 200,000", "once in 1,000 times")
                .contains("lockstep provision --buckets 200000");
    }

    @Test
    void comparesTheNumbersThatAreAsked() {
        Run run = Run.of("size", "--ids", "10", "--held", "10", "--buckets", "500,70", "--chance", "1");
        assertThat(run.lines()).anyMatch(line -> line.startsWith("             70 "));
        assertThat(run.out())
                .contains("            500 ")
                .doesNotContain("10,000")
                .contains("at most every time");
    }

    @ParameterizedTest
    @CsvSource({"-1, 5, 0.1, There are -1 ids", "5, -1, 0.1, -1 locks are held", "5, 5, 0, The chance is 0.0"})
    void numbersThatCantBe(String ids, String held, String chance, String said) {
        Run run = Run.of("size", "--ids=" + ids, "--held=" + held, "--chance", chance);
        assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains(said);
    }

    @Test
    void whatIsMissingIsNamed() {
        Run run = Run.of("size", "--ids", "5");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("--held", "Try: lockstep size --help");
    }

    @Test
    void noMoreCanBeHeldThanThereAre() {
        Run run = Run.of("size", "--ids", "10", "--held", "200");
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("--held 200 is more than --ids 10");
    }

    @Test
    @Tag("slow")
    @Tag("once")
    void readsTheRecordedNumber() throws Exception {
        try (TestDatabase database = TestServers.mariadb().freshDatabase()) {
            Run.of(StoreArgs.of(database, "provision", "--kind", "user:0", "--buckets", "4321"));
            Run few = Run.of(StoreArgs.of(database, "size", "--ids", "999", "--held", "200"));
            assertThat(few.out())
                    .contains("          4,321 ", "The database has 4,321 buckets for each kind.", "Take 199,901")
                    .contains("can't be changed while locks are taken", "RowLockStore.sharedRowWaits()");
            Run enough = Run.of(StoreArgs.of(database, "size", "--ids", "99", "--held", "2"));
            assertThat(enough.out()).contains("That is enough: with 2 held").doesNotContain("Take ");
        }
    }

    @Test
    void othersHaveNoBuckets() {
        Run run = Run.of("size", "--ids", "9", "--held", "2", "--store", "redis://127.0.0.1:1");
        assertThat(run.code()).isZero();
        assertThat(run.out())
                .contains("need no rows", "The numbers are for MySQL and MariaDB.", "Take ")
                .doesNotContain("sharedRowWaits");
    }
}
