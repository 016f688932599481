package dev.lockstep.spring.autoconfigure;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;

import dev.lockstep.core.Locks;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.inventory.Inventory;
import dev.lockstep.inventory.InventoryEvent;
import dev.lockstep.inventory.InventoryListener;
import dev.lockstep.inventory.Outcome.Accepted;
import dev.lockstep.testkit.FaultyStore;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** The bean of type Inventory. */
@Tag("once")
class InventoryConfigurationTest {
    private static ApplicationContextRunner application() {
        return Applications.connected()
                .withPropertyValues(
                        "lockstep.enabled=false",
                        "lockstep.inventory.enabled=true",
                        "lockstep.inventory.patience=1m",
                        "lockstep.inventory.answer-within=1m",
                        "spring.datasource.url=jdbc:h2:mem:" + UUID.randomUUID());
    }

    @Test
    @DisplayName("in an H2 database in memory the tables are made, and stock can be received and is told of")
    void inMemory() {
        List<InventoryEvent> heard = new CopyOnWriteArrayList<>();
        application().withBean(InventoryListener.class, () -> heard::add).run(context -> {
            assertThat(context).hasNotFailed().doesNotHaveBean(Locks.class);
            assertThat(context.getBean(Inventory.class).receive(line("SHIRT", "TOKYO", 3), "r1"))
                    .isInstanceOf(Accepted.class);
            await().untilAsserted(() -> assertThat(heard).isNotEmpty());
        });
    }

    @Test
    @DisplayName("missing tables stop the start, with what to write")
    void missingTables() {
        application()
                .withPropertyValues("lockstep.inventory.create-tables=false")
                .run(context -> {
                    assertThat(Applications.refusal(context).description())
                            .contains("The tables of the inventory are missing");
                    assertThat(Applications.refusal(context).action())
                            .contains("lockstep.inventory.create-tables=true", "lockstep.inventory.enabled=false");
                });
    }

    @Test
    @DisplayName("the strategy 'locked' works under the application's locks")
    void locked() {
        FaultyStore store = FaultyStore.around(MemoryStore.create());
        application()
                .withPropertyValues("lockstep.enabled=true", "lockstep.inventory.strategy=locked")
                .withBean("store", LockStore.class, () -> store)
                .run(context -> {
                    assertThat(context.getBean(Inventory.class).receive(line("SHIRT", "TOKYO", 3), "r1"))
                            .isInstanceOf(Accepted.class);
                    assertThat(store.calls(FaultyStore.Call.ACQUIRE)).isPositive();
                });
        application()
                .withPropertyValues("lockstep.inventory.strategy=locked")
                .run(context ->
                        assertThat(Applications.refusal(context).action()).startsWith("Write lockstep.store"));
    }

    @ParameterizedTest
    @CsvSource({
        "lockstep.inventory.workers=0,lockstep.inventory.workers is 0",
        "lockstep.inventory.workers=11,'workers is 11, and the pool of the DataSource has 10'",
        "lockstep.inventory.patience=0s,lockstep.inventory.patience is 0ms",
        "lockstep.inventory.limits.batch=0,The limit of requests in a transaction is 0"
    })
    @DisplayName("values that can't be used are refused")
    void refused(String setting, String description) {
        application()
                .withPropertyValues(setting)
                .run(context ->
                        assertThat(Applications.refusal(context).description()).contains(description));
    }

    @Test
    @DisplayName(
            "there is none when it is switched off, without its jar, without a DataSource, or with one of the application's")
    void absent() {
        application()
                .withPropertyValues("lockstep.inventory.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Inventory.class));
        application()
                .withClassLoader(new FilteredClassLoader("dev.lockstep.inventory"))
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean("lockstepInventory"));
        Applications.plain()
                .withPropertyValues("lockstep.enabled=false")
                .run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(Inventory.class));
        application()
                .withBean("mine", Inventory.class, () -> mock(Inventory.class))
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(Inventory.class));
    }
}
