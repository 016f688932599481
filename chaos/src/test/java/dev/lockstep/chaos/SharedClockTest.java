package dev.lockstep.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Histories of several processes can be compared, because their monotonic clock is one: CLOCK_MONOTONIC on Linux. */
@Tag("slow")
class SharedClockTest {
    @Test
    void twoProcessesReadOneMonotonicClock() throws IOException {
        try (ChildJvm other = ChildJvm.start(Other.class)) {
            for (int i = 0; i < 20; i++) {
                long before = System.nanoTime();
                long there = Long.parseLong(other.ask("read"));
                assertThat(there).isBetween(before, System.nanoTime());
            }
        }
    }

    static final class Other {
        private Other() {}

        public static void main(String[] args) throws IOException {
            ChildJvm.obey(words -> Long.toString(System.nanoTime()));
        }
    }
}
