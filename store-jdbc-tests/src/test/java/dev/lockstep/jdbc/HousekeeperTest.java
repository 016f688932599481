package dev.lockstep.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

class HousekeeperTest {
    @Test
    void aFailureIsThrownAsItWasAfterAllOthersAreDone() {
        IllegalStateException failure = new IllegalStateException("two");
        Set<String> done = ConcurrentHashMap.newKeySet();
        try (SessionPool unused = new SessionPool(new DriverManagerDataSource(), new PostgresDialect("none"), 1);
                Housekeeper housekeeper = new Housekeeper(unused, () -> {})) {
            assertThatThrownBy(() -> housekeeper.forEach(List.of("one", "two", "three"), item -> {
                        if (item.equals("two")) {
                            throw failure;
                        }
                        done.add(item);
                    }))
                    .isSameAs(failure);
        }
        assertThat(done).containsExactlyInAnyOrder("one", "three");
    }

    @Test
    void allChoresAreDone() {
        Set<String> done = ConcurrentHashMap.newKeySet();
        try (SessionPool unused = new SessionPool(new DriverManagerDataSource(), new PostgresDialect("none"), 1);
                Housekeeper housekeeper = new Housekeeper(unused, () -> {})) {
            housekeeper.alsoDo(() -> done.add("one"));
            housekeeper.alsoDo(() -> done.add("two"));
            housekeeper.startChores();
            await().untilAsserted(() -> assertThat(done).containsExactlyInAnyOrder("one", "two"));
        }
    }
}
