package dev.lockstep.server.locks;

import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.server.http.Problem;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Shows who holds, who waits, and for whom. */
@RestController
final class SightApi {
    private static final int MOST = 5_000;

    private final Locks locks;
    private final LocksViewMaker views;
    private final KeyReader keys;
    private final Scheduler blocking;

    SightApi(Locks locks, LocksViewMaker views, KeyReader keys, Scheduler blocking) {
        this.locks = locks;
        this.views = views;
        this.keys = keys;
        this.blocking = blocking;
    }

    @GetMapping("/api/locks")
    Mono<LocksView> listLocks(
            @RequestParam(required = false) @Nullable String key, @RequestParam(defaultValue = "500") int limit) {
        if (limit < 1 || limit > MOST) {
            throw Problem.invalid("limit", "limit is " + limit + ". Give 1 to " + MOST + ".");
        }
        Predicate<LockKey> wanted = key == null ? any -> true : below(keys.find("key", key));
        return snapshot().map(seen -> views.view(seen, locks.storeName(), wanted, limit));
    }

    @GetMapping("/api/locks/graph")
    Mono<Graph> graph() {
        return snapshot().map(seen -> GraphMaker.of(seen, views::idOf));
    }

    private static Predicate<LockKey> below(Optional<LockKey> top) {
        return key -> top.isPresent() && (key.equals(top.get()) || top.get().isAncestorOf(key));
    }

    private Mono<LockSnapshot> snapshot() {
        return Mono.fromCallable(locks::snapshot)
                .subscribeOn(blocking)
                .onErrorMap(LockException.class, LockProblems::of);
    }
}
