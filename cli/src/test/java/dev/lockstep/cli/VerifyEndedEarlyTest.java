package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Tag("once")
@Timeout(300)
class VerifyEndedEarlyTest {
    private final TestServer mysql = TestServers.mysql();

    @Test
    void byCtrlCRemovesItsDatabase() throws Exception {
        Process verify = start();
        try (BufferedReader out = verify.inputReader(StandardCharsets.UTF_8)) {
            String database = awaitDatabase(out);
            assertThat(count(database)).as(database).isEqualTo(1);
            awaitRow(out, "H4.1");

            new ProcessBuilder("kill", "-INT", Long.toString(verify.pid()))
                    .start()
                    .waitFor();

            assertThat(verify.waitFor(180, TimeUnit.SECONDS)).isTrue();
            assertThat(verify.exitValue()).isEqualTo(ExitCode.INTERRUPTED.number());
            assertThat(count(database)).isZero();
        } finally {
            verify.destroyForcibly();
        }
    }

    private Process start() throws IOException {
        return new ProcessBuilder(CommandProcess.command(
                        "verify", "--store", mysql.jdbcUrl(), "--user", mysql.user(), "--password=" + mysql.password()))
                .redirectErrorStream(true)
                .start();
    }

    /** By its name, because the sentence around it may be wrapped anywhere. */
    private static String awaitDatabase(BufferedReader out) throws IOException {
        StringBuilder seen = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            Matcher name = Pattern.compile("lockstep_verify_\\w+").matcher(line);
            if (name.find()) {
                return name.group();
            }
            seen.append(line).append('\n');
        }
        throw new AssertionError("No database is named: " + seen);
    }

    private static void awaitRow(BufferedReader out, String id) throws IOException {
        String line = out.readLine();
        while (line != null && !line.contains(id)) {
            line = out.readLine();
        }
        assertThat(line).contains(id);
    }

    private int count(String database) throws Exception {
        try (Connection connection = mysql.connect();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT COUNT(*) FROM information_schema.SCHEMATA WHERE SCHEMA_NAME = '" + database + "'")) {
            row.next();
            return row.getInt(1);
        }
    }
}
