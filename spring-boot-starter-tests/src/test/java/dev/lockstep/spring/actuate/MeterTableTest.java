package dev.lockstep.spring.actuate;

import static dev.lockstep.core.LockRequest.exclusive;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.core.Lease;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.fallback.FallbackStore;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryEvent;
import dev.lockstep.inventory.StockKey;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.Strategy;
import dev.lockstep.jdbc.RowLockStore;
import dev.lockstep.testkit.FaultyStore.Call;
import dev.lockstep.testkit.Tenancy;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The table of meters in docs/spring.md is what there is, and Prometheus takes all of it. */
@org.junit.jupiter.api.Tag("once")
@Timeout(240)
class MeterTableTest extends MeterStage {
    private static final Path DOCUMENT = Path.of("..", "docs", "spring.md");

    private List<String> refused;

    @Override
    MeterRegistry registry() {
        refused = new CopyOnWriteArrayList<>();
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        prometheus.config().onMeterRegistrationFailed((id, reason) -> refused.add(id + ": " + reason));
        return prometheus;
    }

    @Test
    void tableListsEveryMeter() throws Exception {
        everyEventOfLocks();
        deadlock();
        everyMeterOfStock();
        everyMeterOfAPair();
        assertThat(refused).isEmpty();
        assertThat(rows()).isEqualTo(registered());
        assertThat(((PrometheusMeterRegistry) registry).scrape())
                .contains("lockstep_acquire_seconds_count", "lockstep_lost_leases_total", "lockstep_held_leases ");
        assertThat(namesIn("prometheus-alerts.yaml")).hasSizeGreaterThan(5).isSubsetOf(samples());
        assertThat(namesIn("grafana-dashboard.json")).hasSizeGreaterThan(5).isSubsetOf(samples());
    }

    /** What the alerts or the dashboard ask Prometheus for. */
    private static Set<String> namesIn(String file) throws Exception {
        return Pattern.compile("lockstep_[a-z_]+")
                .matcher(Files.readString(Path.of("..", "docs", "monitoring", file)))
                .results()
                .map(MatchResult::group)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private Set<String> samples() {
        return ((PrometheusMeterRegistry) registry)
                .scrape()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("[{ ]", 2)[0])
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private void everyEventOfLocks() {
        Lease lease = locks.acquire(exclusive(KEY));
        store.failNext(Call.RENEW, 1);
        clock.advance(UNTIL_RENEWAL);
        awaitCounter("lockstep.renewals", "outcome", "failed", 1);
        clock.advance(UNTIL_RENEWAL.dividedBy(2));
        awaitTimer("lockstep.renewal.lag", "kind", "user", 1);
        assertThatThrownBy(() -> locks.acquire(exclusive(Tenancy.user("u0"))))
                .isInstanceOf(OrderViolationException.class);
        store.failNext(Call.RELEASE, 1);
        lease.close();
        store.forget(locks.acquire(exclusive(Tenancy.user("u2"))).id());
        clock.advance(UNTIL_RENEWAL);
        awaitCounter("lockstep.lost.leases", "reason", "refused", 1);
        await().until(() -> registry.find("lockstep.failed.releases").counter() != null);
        new SharedRowMeters(RowLockStore.mysql(InventoryMetersTest.database())).bindTo(registry);
    }

    private void everyMeterOfAPair() {
        try (FallbackStore pair = FallbackStore.of(MemoryStore.create(), MemoryStore.create());
                FallbackMeters own = new FallbackMeters(pair, locks)) {
            own.bindTo(registry);
        }
    }

    private void everyMeterOfStock() {
        try (Inventory inventory = Inventory.on(InventoryMetersTest.database());
                InventoryMeters own = new InventoryMeters(inventory)) {
            own.bindTo(registry);
            inventory.receive(StockLine.line("S", "T", 2), "in");
            new InventoryEventMeters(registry)
                    .on(new InventoryEvent.StrategyChanged(
                            Instant.EPOCH, new StockKey("S", "T"), Strategy.OPTIMISTIC, Strategy.COMBINING, "test"));
            await().until(() -> registry.find("lockstep.inventory.answer").timer() != null);
        }
    }

    private Set<String> registered() {
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(id -> "| `%s` | %s | %s | %s | %s |"
                        .formatted(
                                id.getName(),
                                id.getType().name().toLowerCase(Locale.ROOT).replace("distribution_", ""),
                                id.getTags().stream().map(Tag::getKey).sorted().collect(Collectors.joining(", ")),
                                Objects.toString(id.getBaseUnit(), ""),
                                id.getDescription()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> rows() throws Exception {
        return Files.readAllLines(DOCUMENT).stream()
                .filter(line -> line.startsWith("| `lockstep."))
                .filter(line -> line.split("\\|").length == 6)
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
