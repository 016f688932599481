package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code lockstep serve} as people run it: its own process, signals, files, exit codes. */
@Tag("slow")
@Tag("once")
@Execution(ExecutionMode.CONCURRENT)
@Timeout(600)
class ServeCommandTest {
    private static final String TOKYO = "api/inventory/SHIRT-001/TOKYO/";

    @TempDir
    private Path temporary;

    private Path folder;

    @BeforeEach
    void ownFolder() throws Exception {
        folder = Files.createDirectory(temporary.resolve("run"));
    }

    private static void assertTrouble(Run run, ExitCode code, String... said) {
        assertThat(run.err()).contains(said).startsWith("error: ").doesNotContain("\tat ", "Exception");
        assertThat(run.err().lines()).hasSizeLessThan(4);
        assertThat(run.code()).as(run.all()).isEqualTo(code.number());
        assertThat(run.out()).isEmpty();
    }

    private Run ended(String... args) throws Exception {
        try (ServeProcess process = ServeProcess.start(folder, args)) {
            return process.ended();
        }
    }

    private List<String> files() throws Exception {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).map(Path::toString).toList();
        }
    }

    @Test
    void aPortThatIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            assertTrouble(ended("--port", port), ExitCode.REFUSED, "Port " + port, "is in use", "--port 0");
        }
        assertThat(files()).isEmpty();
    }

    @Test
    void anAddressThatOthersReachWithoutAToken() throws Exception {
        assertTrouble(ended("--host", "0.0.0.0"), ExitCode.USAGE, "no token", "export LOCKSTEP_TOKEN=");
        assertTrouble(ended("--demo", "--host", "0.0.0.0", "--token", "short"), ExitCode.USAGE, "at least 16");
        assertThat(files()).isEmpty();
    }

    private static int closedPort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @Test
    void aStoreThatCantBeReached() throws Exception {
        String nobody = "127.0.0.1:" + closedPort();
        assertTrouble(ended("--store", "redis://" + nobody), ExitCode.UNREACHABLE, nobody);
    }

    /** All of it in one test, because each start takes seconds. */
    @Test
    void whatWasAcknowledgedIsThereAfterAKill() throws Exception {
        try (ServeProcess first = ServeProcess.start(folder)) {
            first.ready();
            assertThat(first.post(TOKYO + "receipts", "{\"quantity\":10,\"requestId\":\"r-1\"}")
                            .statusCode())
                    .isEqualTo(201);
            assertTrouble(ended(), ExitCode.REFUSED, "in use", "--data DIR");
            HttpResponse<String> reserved =
                    first.post(TOKYO + "reservations", "{\"quantity\":3,\"requestId\":\"r-2\"}");
            first.kill();
            assertThat(reserved.statusCode()).as(reserved.body()).isEqualTo(201);
        }
        try (ServeProcess second = ServeProcess.start(folder)) {
            assertThat(second.get("api/inventory/SHIRT-001").body()).contains("\"available\":7", "\"allocated\":3");
            second.interrupt();
            Run run = second.ended();
            assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.INTERRUPTED.number());
            assertThat(run.out()).endsWith("Stopped.\n");
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void aDemoLeavesNoFiles() throws Exception {
        try (ServeProcess demo = ServeProcess.start(folder, "--demo")) {
            assertThat(demo.get("").body()).contains("<title>");
            assertThat(demo.post("api/locks", "{\"keys\":[\"order:o1\"],\"owner\":\"me\"}")
                            .statusCode())
                    .isEqualTo(201);
            demo.interrupt();
            Run run = demo.ended();
            assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.INTERRUPTED.number());
            assertThat(run.err()).isEmpty();
        }
        assertThat(files()).isEmpty();
    }
}
