package dev.lockstep.projectlock;

import static dev.lockstep.projectlock.ProjectLockFailure.ACQUIRE_TIMEOUT;
import static dev.lockstep.projectlock.ProjectOnDisk.ONCE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testkit.FakeClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("a fence file that says something odd")
class FenceFileTest {
    private static final Duration TERM = Duration.ofSeconds(15);

    @TempDir
    private Path temporary;

    private final FakeClock clock = new FakeClock();
    private ProjectOnDisk project;
    private ProjectLock lock;
    private Told told;
    private UUID held;

    @BeforeEach
    void open() throws IOException {
        project = new ProjectOnDisk(temporary);
        lock = ProjectLock.at(project.directory).clock(clock).open();
        told = new Told(lock);
        held = project.heldUntil(clock.millis() + TERM.toMillis());
    }

    @AfterEach
    void close() throws IOException {
        told.close();
        project.assertNothingOutsideWasTouched();
    }

    private void fence(String text) throws IOException {
        Files.writeString(project.file(LeaseFiles.FENCE), text);
    }

    private static String note(String fence, UUID leaseId, String source, String term) {
        return "{\"fence\":" + fence + ",\"leaseId\":\"" + leaseId + "\",\"source\":\"" + source + "\",\"termMs\":"
                + term + "}";
    }

    /** Someone's live lease is honoured to its end, and no longer. */
    private ProjectLease assertRecordCounts() throws IOException {
        String before = Files.readString(project.record());
        ProjectLockException error = told.acquireFails(ACQUIRE_TIMEOUT, () -> lock.acquire(ONCE));
        assertThat(error).hasMessageContaining(held.toString());
        clock.advance(TERM.minusMillis(1));
        told.acquireFails(ACQUIRE_TIMEOUT, () -> lock.acquire(ONCE));
        assertThat(Files.readString(project.record())).isEqualTo(before);
        clock.advance(Duration.ofMillis(1));
        ProjectLease lease = lock.acquire(ONCE).lease();
        assertThat(FenceNote.parse(Files.readString(project.file(LeaseFiles.FENCE)))
                        .map(FenceNote::leaseId))
                .hasValue(lease.leaseId());
        return lease;
    }

    @Test
    @DisplayName("missing: the record alone counts")
    void missing() throws IOException {
        assertRecordCounts();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "no JSON", "{}", "[]", "{\"fence\":1}", "{\"fence\":\"1\"}", "\0\1\2"})
    @DisplayName("corrupt: the record alone counts, and the fence is written anew")
    void corrupt(String text) throws IOException {
        fence(text);
        assertThat(assertRecordCounts().token().value()).isEqualTo(clock.millis() * 1_000);
    }

    @Test
    @DisplayName("huge and binary: the record alone counts")
    void huge() throws IOException {
        Files.write(project.file(LeaseFiles.FENCE), "\u00ff".repeat(1 << 20).getBytes(StandardCharsets.ISO_8859_1));
        assertRecordCounts();
    }

    @Test
    @DisplayName("of an earlier lease: its process and its source say nothing of this record")
    void older() throws IOException {
        fence(note("7", UUID.randomUUID(), "os-lock", "1"));
        assertRecordCounts();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "999999999999999999", "9223372036854775807", "99999999999999999999"})
    @DisplayName("with a term that no lease has: the record alone counts")
    void oddTerm(String term) throws IOException {
        fence(note("7", held, "lease-file", term));
        assertRecordCounts();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "999999999999999999", "9223372036854775807", "99999999999999999999"})
    @DisplayName("with a number that no grant has: the fence continues by the clock, and can be read again")
    void oddNumber(String fence) throws IOException {
        fence(note(fence, held, "lease-file", "15000"));
        assertThat(assertRecordCounts().token().value()).isEqualTo(clock.millis() * 1_000);
    }

    @Test
    @DisplayName("ahead of the clock: the next grant's number is the next one")
    void ahead() throws IOException {
        long fence = clock.millis() * 2_000;
        fence(note(Long.toString(fence), held, "lease-file", "15000"));
        assertThat(assertRecordCounts().token().value()).isEqualTo(fence + 1);
    }

    @Test
    @DisplayName("of a process with the platform's lock that is gone: its record is replaced at once")
    void dead() throws IOException {
        fence(note("7", held, "os-lock", "15000"));
        assertThat(lock.acquire(ONCE).didFallback()).isFalse();
    }

    @Test
    @DisplayName("of a process without the platform's lock: its record is waited for")
    void byFile() throws IOException {
        fence(note("7", held, "lease-file", "15000"));
        assertRecordCounts();
    }

    @Test
    @DisplayName("lost: the numbers rise all the same, because they are not below the clock")
    void lost() throws IOException {
        clock.advance(TERM);
        ProjectLease first = lock.acquire(ONCE).lease();
        lock.release(first);
        Files.delete(project.file(LeaseFiles.FENCE));
        clock.advance(Duration.ofMillis(1));
        assertThat(lock.acquire(ONCE).lease().token()).isGreaterThan(first.token());
    }
}
