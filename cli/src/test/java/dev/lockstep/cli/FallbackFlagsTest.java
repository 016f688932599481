package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What can't be meant of a fallback is refused before anybody is asked. */
@Tag("once")
class FallbackFlagsTest {
    private static void assertRefused(String said, String... args) {
        Run run = Run.of(args);
        assertThat(run.err()).startsWith("error: ").contains(said);
        assertThat(run.code()).as(run.err()).isEqualTo(ExitCode.USAGE.number());
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "verify", "doctor", "locks"})
    void locksInMemoryHaveNoFallback(String command) {
        assertRefused("never away", command, "--store", "memory", "--fallback", "jdbc:postgresql://127.0.0.1:1/app");
    }

    @ParameterizedTest
    @ValueSource(strings = {"serve", "verify", "doctor", "locks"})
    void aFallbackIsADatabase(String command) {
        assertRefused(
                "--fallback needs a database", command, "--store", "redis://127.0.0.1:1", "--fallback", "redis://b:1");
    }

    @Test
    void itsUserAndNameAreForNothingWithoutIt() {
        assertRefused(
                "Leave --fallback-user out", "doctor", "--store", "redis://127.0.0.1:1", "--fallback-user", "app");
        assertRefused("Leave --pair out", "locks", "--store", "redis://127.0.0.1:1", "--pair", "orders");
    }

    @Test
    void aServerHasAStoreOfItsOwn() {
        assertRefused(
                "Leave --fallback out", "locks", "--server", "http://127.0.0.1:1", "--fallback", "jdbc:mysql://h/app");
    }

    @Test
    void aPairHasOneBehaviourMore() {
        assertThat(Run.of("verify", "--list", "--fallback", "jdbc:postgresql://h/app")
                        .out())
                .contains("X4");
        assertThat(Run.of("verify", "--list").out()).doesNotContain("X4");
    }
}
