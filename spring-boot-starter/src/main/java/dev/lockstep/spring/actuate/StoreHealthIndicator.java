package dev.lockstep.spring.actuate;

import dev.lockstep.core.LockClock;
import dev.lockstep.core.doctor.Diagnosis;
import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.spring.StoreDoctor;
import dev.lockstep.spring.actuate.Checkup.Visit;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether locks can be relied on, as the doctor of their store sees it: down with its errors, up with its warnings. The doctor takes a
 * connection, so it is asked only now and then; and a probe waits only this long, because a server may hang.
 */
public final class StoreHealthIndicator implements HealthIndicator {
    private final String store;
    private final Checkup checkup;
    private final Duration patience;
    private final PairHealth pair;

    /** Asks this doctor again when the last answer is older than the interval, and waits for it as long as patience says. */
    public StoreHealthIndicator(String store, StoreDoctor doctor, Duration interval, Duration patience) {
        this(store, new Checkup(doctor, interval, LockClock.system()), patience);
    }

    StoreHealthIndicator(String store, Checkup checkup, Duration patience) {
        this(store, checkup, patience, PairHealth.NONE);
    }

    private StoreHealthIndicator(String store, Checkup checkup, Duration patience, PairHealth pair) {
        this.store = store;
        this.checkup = checkup;
        this.patience = patience;
        this.pair = pair;
    }

    /** The same where the store is this pair: also says which of the two is in use, and is out of service while nothing is granted. */
    public StoreHealthIndicator of(FallbackStore stores) {
        return new StoreHealthIndicator(store, checkup, patience, PairHealth.of(stores::state));
    }

    @Override
    public Health health() {
        Visit visit = checkup.visit();
        Health.Builder health = new Health.Builder().withDetail("store", store);
        try {
            Duration left = patience.minus(visit.age());
            report(health, visit.diagnosis.get(Math.max(0, left.toNanos()), TimeUnit.NANOSECONDS));
            health.withDetail("checkedAt", Instant.ofEpochMilli(visit.atMillis));
        } catch (TimeoutException e) {
            health.down().withDetail("errors", List.of(told(hung(visit.age()))));
        } catch (ExecutionException e) {
            health.down(e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            health.unknown().withDetail("reason", "Interrupted while the doctor was looking.");
        }
        pair.tell(health);
        return health.build();
    }

    private static void report(Health.Builder health, Diagnosis diagnosis) {
        health.status(diagnosis.isHealthy() ? "UP" : "DOWN");
        tell(health, "errors", diagnosis.errors());
        tell(health, "warnings", diagnosis.warnings());
    }

    private static void tell(Health.Builder health, String name, List<Finding> findings) {
        if (!findings.isEmpty()) {
            health.withDetail(
                    name, findings.stream().map(StoreHealthIndicator::told).toList());
        }
    }

    private static Map<String, String> told(Finding finding) {
        Map<String, String> told = new LinkedHashMap<>();
        told.put("what", finding.what());
        told.put("whatToDo", finding.whatToDo());
        return told;
    }

    private static Finding hung(Duration age) {
        return Finding.error(
                "The store's server has not answered the doctor for " + age.toMillis() + " ms.",
                "See whether it hangs or can't be reached. If it is only slow, raise management.health.lockstep.timeout.");
    }
}
