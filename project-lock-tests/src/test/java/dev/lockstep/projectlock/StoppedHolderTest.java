package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.ChildJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The holder's process gets SIGSTOP, and goes on too late. */
@Tag("slow")
@Tag("once")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class StoppedHolderTest {
    private static final Duration SHORT = Duration.ofSeconds(12); // longer than a standstill before the stop
    private static final Duration LONG = Duration.ofHours(1);
    private static final AcquireOptions PATIENT = AcquireOptions.defaults().within(Duration.ofMinutes(3));

    /** Where the fence file is written and the record is not: the worst place to stop. */
    private static final String WAIT_INSIDE = "wait-before move_to_.lock";

    @TempDir
    private Path project;

    @ParameterizedTest
    @EnumSource
    void aHolderStoppedPastItsLeaseLearnsItAndDisturbsNoOtherHolder(Way way) throws Exception {
        try (ChildJvm stopped = ChildJvm.start(ProjectChild.class);
                ProjectLock next = way.at(project).term(LONG).open()) {
            stopped.ask(ProjectChild.open(way, project, SHORT));
            assertThat(stopped.ask("acquire")).startsWith("held ");
            Instant expiry =
                    Instant.ofEpochMilli(Records.in(project).orElseThrow().expiresAt());
            stopped.stop();
            ProjectLease lease = next.acquire(PATIENT).lease();
            assertThat(Instant.now()).isAfterOrEqualTo(expiry);
            Optional<LeaseRecord> record = Records.in(project);
            stopped.goOn();

            assertThat(stopped.ask("is-held")).isEqualTo("false");
            assertThat(stopped.ask("await-expired")).isEqualTo("expired");
            assertThat(stopped.ask("renew")).isEqualTo("lease-expired");
            assertThat(stopped.ask("release")).isEqualTo("lease-expired");
            assertThat(stopped.ask("try")).isEqualTo("acquire-timeout");
            assertThat(stopped.ask("close")).isEqualTo("closed");
            assertThat(Records.in(project)).isPresent().isEqualTo(record);
            next.release(next.renew(lease));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OS_LOCK", "LEASE_FILE"})
    void aProcessStoppedInATransactionDelaysOthersUntilItContinues(Way way) throws Exception {
        try (ChildJvm stopped = stoppedInTransaction(way);
                ProjectLock next = way.at(project).open()) {
            assertThat(Attempts.one(next)).isEqualTo("acquire-timeout");
            stopped.goOn();
            stopped.tell("go on");
            assertThat(stopped.answer()).startsWith("held ");
            assertThat(stopped.ask("go-on")).isEqualTo("ok");
            assertThat(stopped.ask("release")).isEqualTo("released");
            assertThat(Attempts.one(next)).isEqualTo("held");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"OS_LOCK", "LEASE_FILE"})
    void whoIsStoppedInATransactionHoldsOthersUpUntilItIsKilled(Way way) throws Exception {
        try (ChildJvm stopped = stoppedInTransaction(way);
                ProjectLock next = way.at(project).open()) {
            assertThat(Attempts.one(next)).isEqualTo("acquire-timeout");
            stopped.kill();
            assertThat(Attempts.one(next)).isEqualTo("held");
        }
    }

    /** The one that was stopped has read that the project is free. */
    @Test
    void aProcessStoppedInATransactionByHardLinksDelaysNoOtherAndComesTooLate() throws Exception {
        try (ChildJvm stopped = stopped(Way.LINKS, "wait-before link_generation");
                ProjectLock next = Way.LINKS.at(project).term(LONG).open()) {
            ProjectLease lease = next.acquire().lease();
            Optional<LeaseRecord> record = Records.in(project);
            stopped.goOn();
            stopped.tell("go on");
            assertThat(stopped.answer()).isEqualTo("acquire-timeout");
            assertThat(Records.in(project)).isPresent().isEqualTo(record);
            next.release(next.renew(lease));
        }
    }

    private ChildJvm stoppedInTransaction(Way way) throws Exception {
        return stopped(way, WAIT_INSIDE);
    }

    private ChildJvm stopped(Way way, String where) throws Exception {
        ChildJvm child = ChildJvm.start(ProjectChild.class);
        child.ask(ProjectChild.open(way, project, LONG));
        child.ask(where);
        assertThat(child.ask("try")).startsWith("before ");
        child.stop();
        return child;
    }
}
