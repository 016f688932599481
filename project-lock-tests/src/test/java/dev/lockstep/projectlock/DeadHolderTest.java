package dev.lockstep.projectlock;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The holder's process gets kill -9, or loses its lock in another way. */
@Tag("slow")
@Tag("once")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
@Execution(ExecutionMode.CONCURRENT)
class DeadHolderTest {
    private static final AcquireOptions ONCE = AcquireOptions.defaults().within(Duration.ZERO);

    @TempDir
    private Path project;

    private ChildJvm holder(Way way, Duration term) throws IOException {
        ChildJvm holder = ChildJvm.start(ProjectChild.class);
        assertThat(holder.ask(ProjectChild.open(way, project, term))).isEqualTo("open");
        assertThat(holder.ask("acquire")).startsWith("held ");
        return holder;
    }

    private Instant expiry() throws IOException {
        return Records.in(project)
                .map(LeaseRecord::expiresAt)
                .map(Instant::ofEpochMilli)
                .orElseThrow();
    }

    @Test
    void aDeadHolderByOsLockIsFollowedAtOnce() throws Exception {
        try (ChildJvm holder = holder(Way.OS_LOCK, Duration.ofHours(1));
                ProjectLock next = Way.OS_LOCK.at(project).open()) {
            Instant expiry = expiry();
            assertThat(Attempts.one(next)).isEqualTo("acquire-timeout");
            holder.kill();
            assertThat(next.acquire(ONCE).lease().source()).isEqualTo(LeaseSource.OS_LOCK);
            assertThat(Instant.now()).isBefore(expiry.minus(Duration.ofMinutes(30)));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"LEASE_FILE", "LINKS"})
    void aDeadHolderByFileIsFollowedWhenItsLeaseIsOver(Way way) throws Exception {
        ShiftedClock clock = new ShiftedClock();
        try (ChildJvm holder = holder(way, Duration.ofHours(1));
                ProjectLock next = way.at(project).clock(clock).open()) {
            Instant expiry = expiry();
            holder.kill();
            clock.advance(Duration.ofMinutes(50));
            assertThat(Attempts.one(next)).isEqualTo("acquire-timeout");
            clock.advance(Duration.ofMinutes(10));
            assertThat(Attempts.one(next)).isEqualTo("held");
            assertThat(Instant.ofEpochMilli(clock.millis())).isAfterOrEqualTo(expiry);
        }
    }

    @Test
    void aDeadHolderByOsLockIsWaitedForByThoseWhoHaveNoOsLock() throws Exception {
        ShiftedClock clock = new ShiftedClock();
        try (ChildJvm holder = holder(Way.OS_LOCK, Duration.ofHours(1));
                ProjectLock next = Way.LEASE_FILE.at(project).clock(clock).open()) {
            holder.kill();
            assertThat(Attempts.one(next)).isEqualTo("acquire-timeout");
            clock.advance(Duration.ofHours(1));
            assertThat(Attempts.one(next)).isEqualTo("held");
        }
    }

    @Test
    void aLivingHolderThatLostItsOsLockKeepsTheProjectUntilItsLeaseIsOver() throws Exception {
        ShiftedClock clock = new ShiftedClock();
        try (ChildJvm holder = holder(Way.OS_LOCK, Duration.ofHours(1));
                ChildJvm other = ChildJvm.start(ProjectChild.class);
                ProjectLock next = Way.OS_LOCK.at(project).clock(clock).open()) {
            assertThat(other.ask("os-lock " + project)).isEqualTo("taken");
            holder.ask("open-and-close " + project);
            assertThat(other.ask("os-lock " + project)).isEqualTo("free");
            assertThat(Attempts.one(next)).isEqualTo("acquire-timeout");
            assertThat(other.ask("os-lock " + project)).as("after a refusal").isEqualTo("free");
            assertThat(holder.ask("renew")).isEqualTo("renewed");
            assertThat(Attempts.one(next)).isEqualTo("acquire-timeout");
            clock.advance(Duration.ofHours(1));
            assertThat(Attempts.one(next)).isEqualTo("held");
        }
    }
}
