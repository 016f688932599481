package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.TestServers;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("slow")
@Tag("once")
@Timeout(120)
class VerifyEndedEarlyTest {
    private final TestServer mysql = TestServers.mysql();

    @Test
    void byCtrlCRemovesItsDatabase() throws Exception {
        Process verify = start();
        try (BufferedReader out = verify.inputReader(StandardCharsets.UTF_8)) {
            String where = out.readLine();
            String database = where.replaceAll(".*the database (\\w+) of .*", "$1");
            assertThat(count(database)).as(where).isEqualTo(1);
            awaitRow(out, "H4.1");

            new ProcessBuilder("kill", "-INT", Long.toString(verify.pid()))
                    .start()
                    .waitFor();

            assertThat(verify.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(verify.exitValue()).isEqualTo(ExitCode.INTERRUPTED.number());
            assertThat(count(database)).isZero();
        } finally {
            verify.destroyForcibly();
        }
    }

    /** By way of env, because a process that was started in the background may be deaf to Ctrl-C. */
    private Process start() throws IOException {
        return new ProcessBuilder(
                        "env",
                        "--default-signal=INT",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Lockstep.class.getName(),
                        "verify",
                        "--store",
                        mysql.jdbcUrl(),
                        "--user",
                        mysql.user())
                .redirectErrorStream(true)
                .start();
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
