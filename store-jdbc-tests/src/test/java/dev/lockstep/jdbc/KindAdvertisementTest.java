package dev.lockstep.jdbc;

import static dev.lockstep.jdbc.AdvertisementScene.kind;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.KindMismatchException;
import dev.lockstep.core.LockException;
import dev.lockstep.testservers.Scale;
import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
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
@DisplayName("kinds of several processes on PostgreSQL")
class KindAdvertisementTest {
    private static final KindDefinition TOP = kind("top", 10);
    private static final KindDefinition THING = new KindDefinition("thing", 80, Optional.of("top"), 1, false);

    private final AdvertisementScene scene = new AdvertisementScene();
    private final AdvisoryLockStore one = scene.store();
    private final AdvisoryLockStore two = scene.store();

    @AfterEach
    void close() throws Exception {
        scene.close();
    }

    private static void refused(AdvisoryLockStore store, KindDefinition known, KindDefinition declared) {
        assertThatThrownBy(() -> store.declare(List.of(declared)))
                .isInstanceOfSatisfying(KindMismatchException.class, error -> {
                    assertThat(error.known()).isEqualTo(known);
                    assertThat(error.declared()).isEqualTo(declared);
                })
                .hasMessageContainingAll(known.toString(), declared.toString());
    }

    @Test
    @DisplayName("must be the same, and are refused with both definitions if not")
    void differentDefinitions() {
        one.declare(List.of(TOP, THING));
        refused(two, THING, new KindDefinition("thing", 81, Optional.of("top"), 1, false));
        refused(two, THING, new KindDefinition("thing", 80, Optional.of("other"), 1, false));
        refused(two, THING, new KindDefinition("thing", 80, Optional.empty(), 0, false));
        refused(two, THING, new KindDefinition("thing", 80, Optional.of("top"), 2, false));
        refused(two, THING, new KindDefinition("thing", 80, Optional.of("top"), 1, true));
        two.declare(List.of(TOP, THING));
        refused(one, THING, kind("thing", 81));
    }

    @Test
    @DisplayName("can't share a rank")
    void oneRankTwice() {
        one.declare(List.of(kind("one", 50)));
        assertThatThrownBy(() -> two.declare(List.of(kind("two", 50))))
                .isInstanceOf(InvalidRequestException.class)
                .hasMessageContainingAll("'one'", "'two'", "50", "its own rank");
    }

    @Test
    @DisplayName("are declared all or none")
    void allOrNone() {
        one.declare(List.of(kind("one", 50)));
        assertThatThrownBy(() -> two.declare(List.of(kind("new", 49), kind("one", 51))))
                .isInstanceOf(KindMismatchException.class);
        one.declare(List.of(kind("new", 48)));
        two.declare(List.of(kind("new", 48), kind("one", 50)));
    }

    @Test
    @DisplayName("count only while their process is there, and only in its namespace")
    void othersThatDontMatter() {
        one.declare(List.of(THING));
        scene.store(scene.dataSource(), scene.namespace + "-other").declare(List.of(kind("thing", 1)));
        one.close();
        awaitNoAdvertisement();
        two.declare(List.of(kind("thing", 81)));
    }

    /** The server may take its time to end a session whose client has left. */
    private void awaitNoAdvertisement() {
        await().until(() -> scene.shown().isEmpty());
    }

    @Test
    @DisplayName("that two processes declare at the same time are never accepted from both")
    void race() {
        CyclicBarrier start = new CyclicBarrier(2);
        for (int i = 0; i < Scale.pick(25, 200); i++) {
            KindDefinition even = kind("kind-" + i, 2 * i);
            KindDefinition odd = kind("kind-" + i, 2 * i + 1);
            CompletableFuture<Boolean> first = CompletableFuture.supplyAsync(() -> accepts(one, even, start));
            CompletableFuture<Boolean> second = CompletableFuture.supplyAsync(() -> accepts(two, odd, start));
            assertThat(List.of(first.join(), second.join())).containsExactlyInAnyOrder(true, false);
        }
    }

    private static boolean accepts(AdvisoryLockStore store, KindDefinition kind, CyclicBarrier start) {
        try {
            start.await();
            store.declare(List.of(kind));
            return true;
        } catch (KindMismatchException e) {
            return false;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("may be a hundred, which one statement has no room for")
    void hundredKinds() throws Exception {
        List<KindDefinition> hundred = IntStream.range(0, 100)
                .mapToObj(i -> kind("a-kind-with-a-long-name-" + i, i))
                .toList();
        one.declare(hundred);
        assertThat(scene.shown()).hasSizeGreaterThan(1).allMatch(text -> text.contains("*/"));
        for (int i : List.of(0, 50, 99)) {
            refused(two, hundred.get(i), kind(hundred.get(i).prefix(), 1000));
        }
        two.declare(hundred);
        assertThat(scene.logged(Level.WARN)).isEmpty();
        one.close();
        two.close();
        awaitNoAdvertisement();
        assertThat(scene.store())
                .satisfies(three -> three.declare(List.of(kind(hundred.get(99).prefix(), 1000))));
    }

    @Test
    @DisplayName("are shown on the connection for looking, whatever that says")
    void whileLooking() throws Exception {
        InspectionSession inspection = scene.inspection();
        KindAdvertisement advertisement = scene.quietAdvertisement(inspection);
        advertisement.declare(List.of(TOP));
        Set<String> shown = new LinkedHashSet<>(scene.shown());
        inspection.others(false);
        shown.addAll(scene.shown());
        inspection.lastDeadlock(new SQLException("Process 1 waits"));
        shown.addAll(scene.shown());
        inspection.use(TimeUnit.MINUTES.toNanos(1), session -> inspection.isAlive(session));
        shown.addAll(scene.shown());
        advertisement.check();
        shown.addAll(scene.shown());
        assertThat(shown).hasSize(5).allMatch(text -> text.contains(" top:10*/"));
    }

    @Test
    @DisplayName("need one connection, and can't be declared when it is closed")
    void oneConnection() throws Exception {
        one.declare(List.of(TOP));
        one.declare(List.of(THING));
        one.snapshot();
        assertThat(scene.shown()).singleElement().asString().contains(" top:10,thing:80:top:1*/");
        one.close();
        assertThatThrownBy(() -> one.declare(List.of(kind("late", 1))))
                .isInstanceOfSatisfying(
                        LockException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
    }

    @Test
    @DisplayName("can't be compared between users without privileges, who are warned once and go on")
    void hiddenStatements() throws Exception {
        DataSource user = scene.newUser("");
        one.declare(List.of(THING));
        AdvisoryLockStore blind = scene.store(user, scene.namespace);
        blind.declare(List.of(kind("thing", 81)));
        blind.declare(List.of(kind("another", 82)));
        assertThat(scene.logged(Level.WARN)).singleElement().asString().contains("pg_read_all_stats");
        refused(scene.store(user, scene.namespace), kind("thing", 81), kind("thing", 82));
    }
}
