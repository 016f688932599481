package dev.lockstep.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Locks;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import net.javacrumbs.shedlock.core.LockConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The samples of docs/adapters.md run. */
@Timeout(300)
class AdapterSamplesTest {
    @Test
    void samplesLockAndUnlock() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        try (Locks locks = Locks.inMemory()) {
            AdapterSamples.lock(locks, runs::incrementAndGet);
            assertThat(AdapterSamples.readWrite(locks, runs::incrementAndGet)).isTrue();
            AdapterSamples.springIntegration(locks).executeLocked("group", runs::incrementAndGet);
            AdapterSamples.shedLock(locks)
                    .lock(new LockConfiguration(Instant.now(), "nightly", Duration.ofMinutes(1), Duration.ZERO))
                    .orElseThrow()
                    .unlock();
            assertThat(locks.snapshot().isEmpty()).isTrue();
        }
        assertThat(runs).hasValue(3);
    }

    @Test
    void aClientAsksNothingBeforeItsFirstRequest() {
        try (Locks locks = AdapterSamples.client("sesame-sesame-sesame")) {
            assertThat(locks.storeName()).isEqualTo("http");
        }
    }
}
