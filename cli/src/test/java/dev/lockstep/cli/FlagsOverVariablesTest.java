package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What stands on the command line wins over the environment, also where the two say the same thing in different ways. */
@Tag("slow")
@Tag("once")
class FlagsOverVariablesTest {
    /** A variable that is used names a file that is missing, which is an error of its own. */
    private static final String MISSING = "/missing/secret";

    private static String output(ExitCode expected, Map<String, String> variables, String... arguments)
            throws Exception {
        ProcessBuilder builder = new ProcessBuilder(CommandProcess.command(arguments)).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("LOCKSTEP_"));
        builder.environment().putAll(variables);
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isEqualTo(expected.number());
        return output;
    }

    @Test
    void aTokenWinsOverTheVariableOfATokenFile() throws Exception {
        Map<String, String> file = Map.of("LOCKSTEP_TOKEN_FILE", MISSING);
        String[] locks = {"locks", "--server", "http://127.0.0.1:1"};
        assertThat(output(ExitCode.USAGE, file, locks)).contains(MISSING);
        assertThat(output(
                        ExitCode.UNREACHABLE,
                        file,
                        "locks",
                        "--server",
                        "http://127.0.0.1:1",
                        "--token",
                        "0123456789abcdef"))
                .doesNotContain(MISSING);
    }

    @Test
    void aPasswordOfTheUrlWinsOverTheVariableOfAPasswordFile() throws Exception {
        Map<String, String> file = Map.of("LOCKSTEP_PASSWORD_FILE", MISSING);
        assertThat(output(ExitCode.USAGE, file, "locks", "--store", "redis://127.0.0.1:1"))
                .contains(MISSING);
        assertThat(output(ExitCode.USAGE, file, "locks", "--store", "jdbc:postgresql://127.0.0.1:1/a?user=u@tenant"))
                .as("an @ after the password's place")
                .contains(MISSING);
        assertThat(output(ExitCode.UNREACHABLE, file, "locks", "--store", "redis://:own@127.0.0.1:1"))
                .doesNotContain(MISSING);
        assertThat(output(ExitCode.UNREACHABLE, file, "locks", "--store", "redis://127.0.0.1:1", "--password", "own"))
                .doesNotContain(MISSING);
    }

    @Test
    void twoFlagsThatSayTheSameAreRefused() {
        assertThat(Run.of("locks", "--server", "http://127.0.0.1:1", "--token", "x", "--token-file", MISSING)
                        .err())
                .contains("--token and --token-file are both given");
        assertThat(Run.of("locks", "--store", "redis://127.0.0.1:1", "-p", "x", "--password-file", MISSING)
                        .err())
                .contains("--password and --password-file are both given");
    }
}
