package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.cli.terminal.Terminal;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.testservers.ServerKind;
import dev.lockstep.testservers.TestServer;
import dev.lockstep.testservers.UsesServer;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@code lockstep locks --watch} looks until it is interrupted, as Ctrl-C does it. */
@UsesServer(ServerKind.REDIS)
@Tag("once")
@Timeout(300)
class LocksWatchTest {
    private static final String ENTER = "\u001b[?1049h\u001b[?25l";
    private static final String HOME = "\u001b[H";
    private static final String LEAVE = "\u001b[?25h\u001b[?1049l";

    private final StringWriter out = new StringWriter();

    @BeforeEach
    void createNamespace(TestServer server) {
        RedisLockStore.at(server.url())
                .answerWithin(Duration.ofMinutes(1))
                .createNamespace()
                .close();
    }

    private int watch(boolean interactive, String twice, String... args) throws Exception {
        PrintWriter printer = new PrintWriter(out, true);
        Terminal terminal = new Terminal(printer, printer, interactive, false, true, 100);
        FutureTask<Integer> run = new FutureTask<>(() -> Lockstep.run(terminal, args));
        Thread thread = new Thread(run);
        thread.start();
        await().atMost(Duration.ofMinutes(2))
                .until(() -> run.isDone() || out.toString().split(twice, -1).length > 2);
        thread.interrupt();
        return run.get(60, TimeUnit.SECONDS);
    }

    @Test
    void drawsAScreenAnewAndLeavesTheTerminalAsItWas(TestServer server) throws Exception {
        int code = watch(true, "\u001b\\[H", "locks", "--watch=0.1", "--store", server.url());
        assertThat(code).as(out.toString()).isEqualTo(ExitCode.INTERRUPTED.number());
        assertThat(out.toString())
                .startsWith(ENTER + HOME)
                .endsWith(LEAVE)
                .contains("redis://127.0.0.1", "every 0.1 s, Ctrl-C ends", "No lock is held");
    }

    @Test
    void addsToAPipe(TestServer server) throws Exception {
        int code = watch(false, "---- ", "locks", "--watch=0.1", "--store", server.url());
        assertThat(code).as(out.toString()).isEqualTo(ExitCode.INTERRUPTED.number());
        assertThat(out.toString()).doesNotContain("\u001b").contains("No lock is held");
    }

    @Test
    void addsALineOfJson(TestServer server) throws Exception {
        watch(true, "\n", "locks", "--json", "--watch=0.1", "--store", server.url());
        assertThat(out.toString().lines())
                .allMatch(line -> line.matches("\\{\"at\":\".*\",\"complete\":true,\"held\":\\[],\"waiting\":\\[]}"));
    }

    @Test
    void timesThatCantBe(TestServer server) {
        Run run = Run.of("locks", "--watch=0", "--store", server.url());
        assertThat(run.code()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains("--watch=0.0 is no usable time");
        Run withoutServer = Run.of("locks", "--watch=0", "--store", "redis://127.0.0.1:1");
        assertThat(withoutServer.code()).as(withoutServer.all()).isEqualTo(ExitCode.USAGE.number());
    }
}
