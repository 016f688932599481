package dev.lockstep.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.redis.RedisLockStore;
import dev.lockstep.server.LockstepServer;
import dev.lockstep.server.locks.keys.KeyReader;
import dev.lockstep.testservers.TestServers;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code lockstep exec}: what it runs, what it returns, and what is locked meanwhile and afterwards. */
@Tag("slow")
@Tag("once")
@Timeout(300)
class ExecCommandTest {
    private static ConfigurableApplicationContext context;

    private final String key = "job:" + UUID.randomUUID();

    @TempDir
    Path folder;

    @BeforeAll
    static void start() {
        context = LockstepServer.start(
                Map.of("server.port", 0, "lockstep.term", "2m", "spring.datasource.url", "jdbc:h2:mem:exec"));
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static String url() {
        return "http://127.0.0.1:"
                + ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    private static Locks locks() {
        return context.getBean(Locks.class);
    }

    private Lease held(boolean shared) {
        var read = context.getBean(KeyReader.class).parse(key);
        return locks().acquire((shared ? LockRequest.shared(read) : LockRequest.exclusive(read)).as("test"));
    }

    private boolean isLocked() {
        return locks().snapshot().holders().stream()
                .anyMatch(each -> each.key().toString().equals(key));
    }

    private String[] args(String options, String... command) {
        return Stream.of(
                        Stream.of("exec", key, "--server", url()),
                        Stream.of(options.split(" ")).filter(each -> !each.isEmpty()),
                        Stream.of("--"),
                        Stream.of(command))
                .flatMap(each -> each)
                .toArray(String[]::new);
    }

    private Run exec(String options, String... command) {
        return Run.of(args(options, command));
    }

    private Path file(String name) {
        return folder.resolve(name);
    }

    private static String read(Path file) throws Exception {
        return Files.readString(file).strip();
    }

    @ParameterizedTest
    @CsvSource({"exit 0,0", "exit 3,3", "kill -9 $$,137"})
    void theExitCodeIsThatOfTheCommand(String script, int code) {
        Run run = exec("", "sh", "-c", script);
        assertThat(run.code()).as(run.all()).isEqualTo(code);
        assertThat(run.all()).isEmpty();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void theCommandRunsUnderTheLockAndKnowsItsToken() throws Exception {
        CompletableFuture<Run> running = CompletableFuture.supplyAsync(() -> exec(
                "",
                "sh",
                "-c",
                "echo $LOCKSTEP_KEY $LOCKSTEP_FENCING_TOKEN $LOCKSTEP_LEASE > $0/said; mv $0/said $0/out; while [ ! -e $0/end ]; do sleep 0.1; done",
                folder.toString()));
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(file("out")));
        assertThat(isLocked()).isTrue();
        assertThat(read(file("out"))).matches(key + " \\d+\\.\\d+ [0-9a-f-]{36}");
        Files.createFile(file("end"));
        assertThat(running.get(60, TimeUnit.SECONDS).code()).isZero();
        assertThat(isLocked()).isFalse();
    }

    @Test
    void aBusyLockIsReportedOrSkipped() {
        try (Lease lease = held(false)) {
            Run failed = exec("--wait 0", "touch", file("run").toString());
            assertThat(failed.code()).isEqualTo(75);
            assertThat(failed.err()).contains(key + " is busy", "'test'", "was not run");
            assertThat(exec("--wait 0.05 --if-busy=skip", "touch", file("run").toString())
                            .code())
                    .isZero();
            JsonNode said = JsonMapper.shared()
                    .readTree(exec("--wait 0 --json", "touch", file("run").toString())
                            .err());
            assertThat(said.at("/event").stringValue()).isEqualTo("busy");
            assertThat(said.at("/exitCode").intValue()).isEqualTo(75);
            assertThat(file("run")).doesNotExist();
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void itWaitsForTheLock() throws Exception {
        CompletableFuture<Run> waiting;
        try (Lease lease = held(false)) {
            waiting = CompletableFuture.supplyAsync(
                    () -> exec("", "touch", file("run").toString()));
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> !locks().snapshot().waiters().isEmpty());
            assertThat(file("run")).doesNotExist();
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(waiting.get(60, TimeUnit.SECONDS).code()).isZero();
        assertThat(file("run")).exists();
    }

    @Test
    void sharedLocksAreHeldTogether() {
        try (Lease lease = held(true)) {
            assertThat(exec("--shared --wait 0", "true").code()).isZero();
            assertThat(exec("--wait 0", "true").code()).isEqualTo(75);
            assertThat(lease.isHeld()).isTrue();
        }
    }

    @Test
    void aCommandThatIsNotThereIsNeitherRunNorLocked() throws Exception {
        Run missing = Run.of("exec", key, "--server", "http://127.0.0.1:1", "--", "no-such-command-here");
        assertThat(missing.code()).isEqualTo(127);
        assertThat(missing.err()).contains("'no-such-command-here'", "Nothing was locked");
        Files.writeString(file("data"), "");
        assertThat(Run.of(
                                "exec",
                                key,
                                "--server",
                                "http://127.0.0.1:1",
                                "--",
                                file("data").toString())
                        .code())
                .isEqualTo(126);
        assertThat(Run.of("exec", key, "--server", "http://127.0.0.1:1", "--", folder.toString())
                        .code())
                .isEqualTo(126);
    }

    @Test
    void aFileThatIsNoProgramLeavesNothingLocked() throws Exception {
        Path broken = file("broken");
        Files.writeString(broken, "#!/no/such/interpreter\n");
        assertThat(broken.toFile().setExecutable(true)).isTrue();
        assertThat(exec("", broken.toString()).code()).isEqualTo(126);
        assertThat(isLocked()).isFalse();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exec job:a --server http://h true|after --",
                "exec job:a --server http://h --|after --",
                "exec job:a --server http://h --wait=-1 -- true|--wait is -1.0",
                "exec job:a --server http://h --term 0 -- true|--term is 0.0",
                "exec job:a --server http://h --grace NaN -- true|--grace is NaN",
                "exec job:a --store memory -- true|would exclude no other command",
                "exec job:a --store redis://h --token x -- true|Leave --token out",
                "exec job:a --server http://h --store redis://h -- true|Leave --store out",
                "exec job --server http://h -- true|without a kind",
                "exec job:a --server ftp://h -- true|such as http://127.0.0.1:7070",
                "lock job:a --server http://h --wait -2|--wait is -2.0",
                "renew --server http://h|LOCKSTEP_LEASE_ID",
                "renew x --server http://h --term 0|--term is 0.0",
                "release --server http://h|LOCKSTEP_LEASE_ID"
            })
    void wrongCommandLines(String line, String said) {
        Run run = Run.of(line.split(" "));
        assertThat(run.code()).as(run.all()).isEqualTo(ExitCode.USAGE.number());
        assertThat(run.err()).contains(said).doesNotContain("\tat ");
    }

    private CompletableFuture<Run> losing(String options, String script) {
        return losing(options, script, thread -> {});
    }

    private CompletableFuture<Run> losing(String options, String script, Consumer<Thread> beforeLoss) {
        AtomicReference<Thread> thread = new AtomicReference<>();
        CompletableFuture<Run> running = CompletableFuture.supplyAsync(() -> {
            thread.set(Thread.currentThread());
            return exec("--term 3 " + options, "sh", "-c", script, folder.toString());
        });
        await().atMost(Duration.ofMinutes(1)).until(() -> Files.exists(file("ready")));
        beforeLoss.accept(thread.get());
        JsonNode look = JsonMapper.shared()
                .readTree(Run.of("locks", "--server", url(), "--json").out());
        String lease = "";
        for (JsonNode each : look.at("/held")) {
            lease = each.at("/key").stringValue().equals(key)
                    ? each.at("/leaseName").stringValue()
                    : lease;
        }
        Run revoked = Run.of("revoke", lease, "--server", url(), "--reason", "test");
        assertThat(revoked.code()).as(revoked.all()).isZero();
        return running;
    }

    @Test
    void aCommandIsEndedWhenTheLockIsLost() throws Exception {
        Run run = losing("", "trap 'touch $0/ended; exit 0' TERM; touch $0/ready; while :; do sleep 0.1; done")
                .get(120, TimeUnit.SECONDS);
        assertThat(run.code()).as(run.all()).isEqualTo(76);
        assertThat(run.err()).contains("The lock is lost", "another holder may have run at the same time");
        assertThat(file("ended")).exists();
    }

    @Test
    void aCommandThatDoesNotEndIsKilledAfterTheGrace() throws Exception {
        Run run = losing("--grace 0.2 --json", "trap '' TERM; touch $0/ready; while :; do sleep 0.1; done")
                .get(120, TimeUnit.SECONDS);
        assertThat(run.code()).as(run.all()).isEqualTo(76);
        assertThat(run.err()
                        .lines()
                        .map(line ->
                                JsonMapper.shared().readTree(line).at("/event").stringValue()))
                .containsExactly("acquired", "losing", "lost");
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void anInterruptLeavesNothingRunningAfterALoss() throws Exception {
        String stubborn = "sh -c 'trap : TERM; while :; do sleep 0.1; done' & echo $! > $0/other; ";
        Run run = losing("--grace 1", stubborn + "touch $0/ready; wait", Thread::interrupt)
                .get(120, TimeUnit.SECONDS);
        assertThat(run.code()).as(run.all()).isEqualTo(76);
        assertThat(runs(read(file("other")))).as("what the command started").isFalse();
    }

    private static boolean runs(String process) {
        try {
            return !read(Path.of("/proc", process, "stat")).contains(") Z "); // which its parent has not noticed yet
        } catch (Exception e) {
            return false;
        }
    }

    @ParameterizedTest
    @CsvSource({"TERM", "INT", "HUP"})
    void signalsArePassedOnToTheCommand(String signal) throws Exception {
        Process process = process(args(
                "",
                "sh",
                "-c",
                "trap 'exit 5' " + signal + "; touch $0/ready; while :; do sleep 0.1; done",
                folder.toString()));
        try {
            await().atMost(Duration.ofMinutes(2)).until(() -> Files.exists(file("ready")));
            kill(signal, process);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(read(file("err"))).isEqualTo(5);
            assertThat(isLocked()).isFalse();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aSignalEndsTheWait() throws Exception {
        try (Lease lease = held(false)) {
            Process process = process(args("", "touch", file("run").toString()));
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> !locks().snapshot().waiters().isEmpty());
            kill("TERM", process);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as(read(file("err"))).isEqualTo(143);
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> locks().snapshot().waiters().isEmpty());
            assertThat(lease.isHeld()).isTrue();
        }
        assertThat(file("run")).doesNotExist();
    }

    private Process process(String... args) throws Exception {
        return new ProcessBuilder(CommandProcess.command(args))
                .redirectInput(new File("/dev/null"))
                .redirectOutput(file("out").toFile())
                .redirectError(file("err").toFile())
                .start();
    }

    private static void kill(String signal, Process process) throws Exception {
        new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Test
    void aStoreIsLockedWithoutAServer() {
        String namespace = "exec-" + UUID.randomUUID();
        try (RedisLockStore first = RedisLockStore.at(TestServers.redis().url()).namespace(namespace)) {
            first.createNamespace();
            List<String> where =
                    List.of("--store", TestServers.redis().url(), "--namespace", namespace, "--wait", "30");
            String outer = String.join(" ", where);
            Run run = Run.of(Stream.of(
                            Stream.of("exec", key, "--kind", "job:9"),
                            where.stream(),
                            Stream.of("--", "sh", "-c", "exit 4"))
                    .flatMap(each -> each)
                    .toArray(String[]::new));
            assertThat(run.code()).as(run.all() + outer).isEqualTo(4);
            Run other = Run.of(Stream.of(Stream.of("exec", key), where.stream(), Stream.of("--", "true"))
                    .flatMap(each -> each)
                    .toArray(String[]::new));
            assertThat(other.code()).as(other.all()).isEqualTo(ExitCode.REFUSED.number());
            assertThat(other.err()).contains("Kind 'job'", "rank 9");
        }
    }

    @Test
    void aScriptLocksRenewsAndReleases() {
        String[] server = {"--server", url()};
        Run locked = Run.of("lock", key, server[0], server[1], "--owner", "script", "--term", "20");
        assertThat(locked.code()).as(locked.all()).isZero();
        String lease = locked.out().strip();
        assertThat(isLocked()).isTrue();
        Run busy = Run.of("lock", key, server[0], server[1], "--wait", "0");
        assertThat(busy.code()).isEqualTo(75);
        assertThat(busy.err()).contains("script");
        Run renewed = Run.of("renew", lease, server[0], server[1], "--term", "25", "--json");
        assertThat(renewed.code()).isZero();
        assertThat(JsonMapper.shared().readTree(renewed.out()).at("/leaseMs").longValue())
                .isPositive();
        assertThat(Run.of("release", lease, server[0], server[1]).lines()).containsExactly("Released.");
        assertThat(isLocked()).isFalse();
        assertThat(Run.of("release", lease, server[0], server[1]).code()).isEqualTo(76);
        assertThat(Run.of("renew", lease, server[0], server[1]).code()).isEqualTo(76);
    }

    @Test
    void aLostAnswerIsAskedForAgainWithItsRequestId() {
        String id = UUID.randomUUID().toString();
        String[] again = {"lock", key, "--server", url(), "--request-id", id};
        String lease = Run.of(again).out().strip();
        assertThat(Run.of(again).out().strip()).isEqualTo(lease).isNotEmpty();
        assertThat(Run.of("release", lease, "--server", url()).code()).isZero();
    }
}
