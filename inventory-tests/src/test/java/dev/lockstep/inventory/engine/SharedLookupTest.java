package dev.lockstep.inventory.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.lockstep.testkit.FakeClock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class SharedLookupTest {
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();
    private final FakeClock clock = new FakeClock();
    private Runnable duringQuery = () -> {};

    private SharedLookup<String> lookup(Executor executor) {
        return new SharedLookup<>(
                keys -> {
                    asked.addAll(keys);
                    duringQuery.run();
                    return Map.of("a", "found");
                },
                executor,
                clock,
                new Timer(clock),
                8);
    }

    @Test
    void aKeyWhoseCallerHasLeftIsNotLookedUp() {
        SharedLookup<String> lookup = lookup(threads::add);
        CompletableFuture<Optional<String>> left = lookup.askLater("left");
        CompletableFuture<Optional<String>> waits = lookup.askLater("a");
        left.cancel(false);
        threads.forEach(Runnable::run);
        assertThat(waits.join()).contains("found");
        assertThat(asked).containsExactly("a");
    }

    @Test
    void whileTheDatabaseHangsOnlyQuestionsWithACallerAreKept() {
        SharedLookup<String> lookup = lookup(threads::add);
        CompletableFuture<Optional<String>> waits = lookup.askLater("a");
        for (int i = 0; i < 100_000; i++) {
            lookup.askLater("left-" + i).cancel(false);
        }
        assertThat(lookup.waiting()).isLessThan(5_000);
        threads.forEach(Runnable::run);
        assertThat(waits.join()).contains("found");
    }

    @Test
    void anExecutorThatFailsOnceStopsNoLaterLookUp() {
        boolean[] broken = {true};
        SharedLookup<String> lookup = lookup(task -> {
            if (broken[0]) {
                throw new OutOfMemoryError("a test");
            }
            task.run();
        });
        for (int i = 0; i < 3; i++) {
            CompletableFuture<Optional<String>> failed = lookup.askLater("a");
            assertThatThrownBy(failed::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(OutOfMemoryError.class);
        }
        broken[0] = false;
        assertThat(lookup.askLater("a").join()).contains("found");
    }

    @Test
    void aLoneCallerWaitsForNoPause() {
        SharedLookup<String> lookup = lookup(Runnable::run);
        duringQuery = () -> clock.advance(Duration.ofMillis(1));
        assertThat(lookup.askLater("a")).isCompletedWithValue(Optional.of("found"));
        assertThat(lookup.askLater("b")).isCompletedWithValue(Optional.empty());
    }

    @Test
    void aSecondQueryBesideOneForSeveralKeysStartsOnlyIfThatTakesLong() {
        SharedLookup<String> lookup = lookup(threads::add);
        lookup.askLater("a");
        duringQuery = () -> {
            lookup.askLater("b");
            lookup.askLater("c");
        };
        threads.remove().run();
        duringQuery = () -> {
            lookup.askLater("d");
            assertThat(threads).isEmpty();
            clock.advance(Duration.ofMillis(101));
            lookup.askLater("e");
            assertThat(threads).hasSize(1);
        };
        threads.remove().run(); // the one that "b" started leaves its key to the query that follows the first
        assertThat(asked).containsExactly("a");
        threads.remove().run();
        assertThat(asked).containsExactly("a", "b", "c");
    }

    @Test
    void aKeyBehindAQueryThatHangsIsLookedUpAlthoughNoCallerFollows() {
        Queue<Runnable> tasks = new ConcurrentLinkedQueue<>(); // the timer adds to it
        SharedLookup<String> lookup = lookup(tasks::add);
        lookup.askLater("a");
        duringQuery = () -> {
            lookup.askLater("b");
            lookup.askLater("c");
        };
        tasks.remove().run();
        List<CompletableFuture<Optional<String>>> last = new ArrayList<>();
        duringQuery = () -> {
            duringQuery = () -> {};
            last.add(lookup.askLater("a"));
            clock.advance(Duration.ofMillis(101));
            await().until(() -> !tasks.isEmpty());
            tasks.remove().run(); // this query hangs until then
            assertThat(last.get(0)).isCompletedWithValue(Optional.of("found"));
        };
        while (last.isEmpty()) {
            tasks.remove().run();
        }
        assertThat(asked).containsExactly("a", "b", "c", "a");
    }
}
