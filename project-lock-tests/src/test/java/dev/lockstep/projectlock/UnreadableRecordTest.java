package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.FALLBACK_READ_FAILED;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.projectlock.ProjectLockEvent.Acquired;
import dev.lockstep.projectlock.ProjectLockEvent.UnreadableExpired;
import dev.lockstep.testkit.FakeClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("a record that can't be read")
class UnreadableRecordTest {
    private static final String ID = "\"leaseId\":\"0b7f3c2e-7f0e-4b52-9d38-0f4f3a0c1d11\"";
    private static final String END = "\"expiresAt\":1767225600001";
    private static final Duration TERM = Duration.ofSeconds(15);

    @TempDir
    private Path temporary;

    private final FakeClock clock = new FakeClock();
    private ProjectOnDisk project;
    private ProjectLock lock;
    private Told told;

    @BeforeEach
    void open() {
        project = new ProjectOnDisk(temporary);
        lock = ProjectLock.at(project.directory).clock(clock).open();
        told = new Told(lock);
    }

    @AfterEach
    void close() throws IOException {
        told.close();
        project.assertNothingOutsideWasTouched();
    }

    static Stream<Arguments> contents() {
        return Stream.of(
                text("no JSON", "held by me"),
                text("empty", ""),
                text("half written", "{" + ID + ",\"expi"),
                text("huge", "x".repeat(1 << 20)),
                text("a lease, and a megabyte of blanks", "{" + ID + "," + END + "}" + " ".repeat(1 << 20)),
                text("a lease, and something behind it", "{" + ID + "," + END + "}x"),
                text("two leases", ("{" + ID + "," + END + "}").repeat(2)),
                text("an array", "[{" + ID + "," + END + "}]"),
                text("no end", "{" + ID + "}"),
                text("no id", "{" + END + "}"),
                text("an extra field", "{" + ID + "," + END + ",\"owner\":\"me\"}"),
                text("a field twice", "{" + ID + "," + END + "," + END + "}"),
                text("a number for an id", "{\"leaseId\":7," + END + "}"),
                text("an id that is no UUID", "{\"leaseId\":\"1-1-1-1-1\"," + END + "}"),
                text("text for an end", "{" + ID + ",\"expiresAt\":\"1767225600001\"}"),
                text("null for an end", "{" + ID + ",\"expiresAt\":null}"),
                text("an end with a fraction", "{" + ID + ",\"expiresAt\":1767225600001.5}"),
                text("an end before 1970", "{" + ID + ",\"expiresAt\":-1}"),
                text("an end in the year 292278994", "{" + ID + ",\"expiresAt\":9223372036854775807}"),
                text("an end that no long can hold", "{" + ID + ",\"expiresAt\":9223372036854775808}"),
                text("an end with a thousand digits", "{" + ID + ",\"expiresAt\":" + "9".repeat(1_000) + "}"),
                Arguments.of("a byte that is no UTF-8", ("{" + ID + "," + END + "}\u00ff").getBytes(ISO_8859_1)),
                Arguments.of("UTF-16", ("{" + ID + "," + END + "}").getBytes(UTF_16)),
                Arguments.of("binary", random()));
    }

    private static Arguments text(String name, String text) {
        return Arguments.of(name, text.getBytes(UTF_8));
    }

    private static byte[] random() {
        byte[] bytes = new byte[2_000];
        new Random(4).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("contents")
    @DisplayName("is somebody's for one term on the monotonic clock, over several acquires, and is then replaced")
    void replacedAfterOneTerm(String name, byte[] content) throws IOException {
        Files.write(project.record(), content);
        ProjectLockException error = told.acquireFails(FALLBACK_READ_FAILED, () -> lock.acquire(ONCE));
        assertThat(error.getMessage()).contains(project.record().toString(), "15000 ms");
        clock.advance(TERM.minusMillis(1));
        told.acquireFails(FALLBACK_READ_FAILED, () -> lock.acquire(ONCE));
        assertThat(Files.readAllBytes(project.record())).as(name).isEqualTo(content);
        clock.advance(Duration.ofMillis(1));

        ProjectLease lease = lock.acquire(ONCE).lease();
        assertThat(LeaseRecord.parse(Files.readString(project.record())))
                .hasValue(new LeaseRecord(lease.leaseId(), lease.expiresAt().toEpochMilli()));
        told.events.awaitProject(Acquired.class);
        assertThat(told.events.projectEventTypes())
                .containsExactly("acquire-failed", "acquire-failed", "expired", "acquired");
        ProjectLockException replaced =
                told.events.awaitProject(UnreadableExpired.class).error();
        assertThat(replaced.failure()).isEqualTo(FALLBACK_READ_FAILED);
        assertThat(replaced.getMessage()).contains("replaced");
        told.assertLogged("acquire", replaced);
    }

    @Test
    @DisplayName("is somebody's for another term when it changes")
    void changed() throws IOException {
        Files.writeString(project.record(), "one");
        told.acquireFails(FALLBACK_READ_FAILED, () -> lock.acquire(ONCE));
        clock.advance(TERM.minusMillis(1));
        Files.writeString(project.record(), "two");
        told.acquireFails(FALLBACK_READ_FAILED, () -> lock.acquire(ONCE));
        clock.advance(TERM.minusMillis(1));
        told.acquireFails(FALLBACK_READ_FAILED, () -> lock.acquire(ONCE));
        assertThat(Files.readString(project.record())).isEqualTo("two");
        clock.advance(Duration.ofMillis(1));
        lock.acquire(ONCE);
    }

    @Test
    @DisplayName("is not freed by the wall clock")
    void wallClock() throws IOException {
        Files.writeString(project.record(), "");
        told.acquireFails(FALLBACK_READ_FAILED, () -> lock.acquire(ONCE));
        clock.jumpWallClock(Duration.ofHours(1));
        told.acquireFails(FALLBACK_READ_FAILED, () -> lock.acquire(ONCE));
        clock.jumpWallClock(Duration.ofHours(-2));
        clock.advanceMonotonic(TERM);
        lock.acquire(ONCE);
    }

    @Test
    @DisplayName("is waited for with a term as long as that of the last grant")
    void longTermOfAnother() throws IOException {
        try (ProjectLock patient = ProjectLock.at(project.directory)
                .withoutPlatformLock()
                .clock(clock)
                .term(Duration.ofMinutes(2))
                .open()) {
            ProjectLease lease = patient.acquire().lease();
            Files.writeString(project.record(), "spilled coffee");
            told.acquireFails(FALLBACK_READ_FAILED, () -> lock.acquire(ONCE));
            clock.advance(Duration.ofMinutes(1));
            assertThat(patient.isHeld(lease)).isTrue();
            told.acquireFails(FALLBACK_READ_FAILED, () -> lock.acquire(ONCE));
            clock.advance(Duration.ofMinutes(1));
            assertThat(patient.isHeld(lease)).isFalse();
            lock.acquire(ONCE);
        }
    }

    @Test
    @DisplayName("makes its holder stop: the renewal fails, and the file stays as it is")
    void whileHeld() throws IOException {
        ProjectLease lease = lock.acquire().lease();
        Files.writeString(project.record(), "spilled coffee");
        told.fails("renew", ProjectLockFailure.LEASE_MISMATCH, () -> lock.renew(lease));
        assertThat(lock.isHeld(lease)).isFalse();
        told.awaitEvent(event -> event.type().equals("expired"));
        assertThat(Files.readString(project.record())).isEqualTo("spilled coffee");
    }
}
