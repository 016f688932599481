package dev.lockstep.server.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.lockstep.server.locks.restart.RunMarker;
import dev.lockstep.spring.LockstepStartException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class RunMarkerTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    @TempDir
    Path folder;

    @Test
    void aCleanStopLeavesNothingToWaitFor() {
        assertThat(closedForAfter("running", Duration.ZERO)).isZero();
    }

    @Test
    void anUncleanStopIsWaitedForAsLongAsTheLongestLeaseOfBoth() {
        try (RunMarker first = open(MINUTE.multipliedBy(2))) {
            first.running();
        }
        try (RunMarker second = open(MINUTE)) {
            assertThat(second.closedFor()).isEqualTo(MINUTE.multipliedBy(2));
            second.running();
        }
        try (RunMarker third = open(MINUTE.multipliedBy(3))) {
            assertThat(third.closedFor()).isEqualTo(MINUTE.multipliedBy(3));
        }
    }

    @Test
    void aCleanStopWithLeasesIsWaitedForUntilTheyAreOver() {
        assertThat(closedForAfter("running", Duration.ofSeconds(7))).isEqualTo(Duration.ofSeconds(7));
    }

    @Test
    void whatCantBeReadCountsAsAnUncleanStop() throws Exception {
        Files.writeString(folder.resolve("running"), "");
        try (RunMarker marker = open(MINUTE)) {
            assertThat(marker.closedFor()).isEqualTo(MINUTE);
        }
    }

    @Test
    void aSecondServerOnTheSameFolderIsRefused() {
        try (RunMarker first = open(MINUTE)) {
            first.running();
            assertThatThrownBy(() -> open(MINUTE))
                    .isInstanceOf(LockstepStartException.class)
                    .hasMessageContaining("Another server runs");
        }
    }

    private Duration closedForAfter(String state, Duration left) {
        try (RunMarker first = open(MINUTE)) {
            first.running();
            assertThat(folder.resolve(state)).exists();
            first.stopped(left);
        }
        try (RunMarker second = open(MINUTE)) {
            return second.closedFor();
        }
    }

    private RunMarker open(Duration longestLease) {
        return RunMarker.open(folder, longestLease);
    }
}
