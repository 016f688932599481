package dev.lockstep.spring.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

@Tag("once")
@Timeout(240)
class StoreHealthIndicatorTest {
    private static final Duration INTERVAL = Duration.ofSeconds(30);
    private static final Duration LONG = Duration.ofMinutes(2);

    private final FakeClock clock = new FakeClock();
    private final AtomicInteger visits = new AtomicInteger();
    private volatile Diagnosis diagnosis = new Diagnosis(List.of(Finding.ok("The server answers.")));
    private final CountDownLatch recovery = new CountDownLatch(1);
    private volatile boolean hangs;

    private Diagnosis examine() {
        visits.incrementAndGet();
        if (hangs) {
            try {
                recovery.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return diagnosis;
    }

    private StoreHealthIndicator indicator(Duration patience) {
        return new StoreHealthIndicator("memory", new Checkup(this::examine, INTERVAL, clock), patience);
    }

    @Test
    void nothingFoundIsUp() {
        Health health = indicator(LONG).health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails()).containsOnlyKeys("store", "checkedAt").containsEntry("store", "memory");
    }

    @Test
    void warningsAreUpAndToldWithWhatToDo() {
        diagnosis = new Diagnosis(List.of(Finding.ok("Fine."), Finding.warning("Small.", "Make it larger.")));
        Health health = indicator(LONG).health();
        assertThat(health.getStatus()).isEqualTo(Status.UP);
        assertThat(health.getDetails())
                .containsEntry("warnings", List.of(Map.of("what", "Small.", "whatToDo", "Make it larger.")))
                .doesNotContainKey("errors");
    }

    @Test
    void errorsAreDownAndToldWithWhatToDo() {
        diagnosis = new Diagnosis(List.of(Finding.error("Gone.", "Start it.")));
        Health health = indicator(LONG).health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails())
                .containsEntry("errors", List.of(Map.of("what", "Gone.", "whatToDo", "Start it.")));
    }

    @Test
    void doctorIsAskedAgainOnlyAfterTheInterval() {
        StoreHealthIndicator indicator = indicator(LONG);
        indicator.health();
        clock.advance(INTERVAL.minusMillis(1));
        indicator.health();
        assertThat(visits).hasValue(1);
        diagnosis = new Diagnosis(List.of(Finding.error("Gone.", "Start it.")));
        clock.advance(Duration.ofMillis(1));
        assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(visits).hasValue(2);
    }

    @Test
    void hungDoctorIsDownAndIsNotAskedTwice() {
        hangs = true;
        StoreHealthIndicator indicator = indicator(Duration.ofMillis(1));
        Health health = indicator.health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().get("errors").toString()).contains("has not answered");
        clock.advance(INTERVAL.multipliedBy(10));
        assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
        await().until(() -> visits.get() > 0);
        assertThat(visits).hasValue(1);
        hangs = false;
        recovery.countDown();
        await().until(() -> indicator.health().getStatus().equals(Status.UP));
    }

    @Test
    void aProbeLongAfterTheDoctorBeganToHangDoesNotWait() throws Exception {
        hangs = true;
        StoreHealthIndicator indicator = indicator(LONG);
        CompletableFuture<Health> first = CompletableFuture.supplyAsync(indicator::health);
        await().until(() -> visits.get() == 1);
        clock.advance(LONG);
        assertThat(indicator.health().getStatus()).isEqualTo(Status.DOWN);
        assertThat(first).isNotDone();
        recovery.countDown();
        assertThat(first.get().getStatus()).isEqualTo(Status.UP);
    }

    @Test
    void manyAtOnceShareOneVisit() {
        hangs = true;
        StoreHealthIndicator indicator = indicator(LONG);
        List<CompletableFuture<Health>> all = List.of(
                CompletableFuture.supplyAsync(indicator::health),
                CompletableFuture.supplyAsync(indicator::health),
                CompletableFuture.supplyAsync(indicator::health));
        await().until(() -> visits.get() > 0);
        recovery.countDown();
        assertThat(all).allSatisfy(each -> assertThat(each.join().getStatus()).isEqualTo(Status.UP));
        assertThat(visits).hasValue(1);
    }

    @Test
    void doctorThatFailsIsDown() {
        StoreHealthIndicator indicator = new StoreHealthIndicator(
                "memory",
                new Checkup(
                        () -> {
                            throw new IllegalStateException("on purpose");
                        },
                        INTERVAL,
                        clock),
                LONG);
        Health health = indicator.health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().get("error").toString()).contains("on purpose");
    }
}
