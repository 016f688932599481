package dev.lockstep.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class SharedLookupTest {
    private final Queue<Runnable> threads = new ArrayDeque<>();
    private final List<String> asked = new ArrayList<>();

    private SharedLookup<String> lookup(Executor executor) {
        return new SharedLookup<>(
                keys -> {
                    asked.addAll(keys);
                    return Map.of("a", "found");
                },
                executor);
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
}
