package dev.lockstep.jdbc;

import static dev.lockstep.jdbc.AdvertisementScene.kind;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.KindMismatchException;
import dev.lockstep.core.LockException;
import dev.lockstep.jdbc.sql.BorrowedConnection;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

@Tag("slow")
@Tag("once")
@Timeout(300)
@Execution(ExecutionMode.CONCURRENT)
@DisplayName("kinds when connections are lost, stuck or missing")
class KindAdvertisementLossTest {
    private static final KindDefinition THING = kind("thing", 80);

    private final AdvertisementScene scene = new AdvertisementScene();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    private void refused() {
        assertThatThrownBy(() -> scene.store().declare(List.of(kind("thing", 81))))
                .isInstanceOf(KindMismatchException.class);
    }

    @Test
    @DisplayName("are shown again within seconds, though nothing happens")
    void shownAgain() throws Exception {
        scene.store().declare(List.of(THING));
        List<String> killed = scene.sessions();
        scene.killAll();
        assertThat(scene.sessions()).doesNotContainAnyElementsOf(killed);
        await().atMost(Duration.ofSeconds(60)).until(() -> scene.shown().size() == 1);
        refused();
    }

    @Test
    @DisplayName("are shown again at once when the connection is used")
    void shownAgainOnUse() throws Exception {
        AdvisoryLockStore store = scene.store();
        store.declare(List.of(THING));
        scene.killAll();
        store.snapshot();
        assertThat(scene.shown()).hasSize(1);
        scene.killAll();
        store.declare(List.of(kind("more", 90)));
        assertThat(scene.shown()).singleElement().asString().contains("thing:80,more:90*/");
        refused();
    }

    @Test
    @DisplayName("are shown again, all of them, when one of several connections is gone")
    void oneOfSeveral() throws Exception {
        List<KindDefinition> hundred = IntStream.range(0, 100)
                .mapToObj(i -> kind("a-kind-with-a-long-name-" + i, i))
                .toList();
        KindAdvertisement advertisement = scene.quietAdvertisement();
        advertisement.declare(hundred);
        List<String> before = scene.shown();
        for (int gone : List.of(1, 50, 99)) {
            scene.kill(scene.withAdvertisement() + " AND query LIKE '%name-" + gone + ":%'");
            assertThat(scene.shown()).hasSize(before.size() - 1);
            advertisement.check();
            assertThat(scene.shown()).hasSameSizeAs(before);
        }
        assertThat(scene.logged(Level.WARN)).isEmpty();
    }

    @Test
    @DisplayName("are reported as an error when another process declared them differently meanwhile")
    void declaredDifferentlyMeanwhile() throws Exception {
        KindAdvertisement advertisement = scene.quietAdvertisement();
        advertisement.declare(List.of(THING));
        scene.killAll();
        KindDefinition other = kind("thing", 81);
        scene.store().declare(List.of(other));
        advertisement.check();
        assertThat(scene.logged(Level.ERROR)).singleElement().asString().contains(THING.toString(), other.toString());
        assertThat(scene.shown()).hasSize(2);
    }

    @Test
    @DisplayName("need a connection: without one, declaring fails and says so")
    void noConnection() throws Exception {
        DataSource narrow = scene.newUser("CONNECTION LIMIT 1");
        AdvisoryLockStore store = scene.store(narrow, scene.namespace);
        try (Connection taken = narrow.getConnection()) {
            assertThat(taken.isValid(60)).isTrue();
            assertThatThrownBy(() -> store.declare(List.of(THING)))
                    .isInstanceOfSatisfying(
                            LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STORE_UNAVAILABLE))
                    .hasMessageContainingAll("Declaring kinds", "connection", "max_connections");
        }
    }

    @Test
    @DisplayName("wait only seconds for another process that is stuck while it declares its own")
    void stuckOther() throws Exception {
        AdvisoryLockStore store = scene.store();
        store.declare(List.of(THING));
        try (BorrowedConnection borrowed = BorrowedConnection.from(scene.dataSource())) {
            LockSession session = new PostgresDialect(scene.namespace).open(borrowed, Duration.ofHours(1));
            Connection stuck = borrowed.connection();
            stuck.setAutoCommit(true);
            new AdvertisementSql(scene.namespace).begin(session);
            assertThatCode(() -> store.declare(List.of(kind("late", 1)))).doesNotThrowAnyException();
            assertThat(stuck.isValid(1)).isFalse();
        }
    }
}
