package dev.lockstep.server.locks;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.Locks;
import dev.lockstep.server.http.Problem;
import dev.lockstep.server.locks.keys.KeyReader;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** Shows who holds, who waits, and for whom. */
@RestController
final class SightApi {
    private static final int MOST = 5_000;

    private final Locks locks;
    private final LocksViewMaker views;
    private final KeyReader keys;
    private final SharedSnapshot snapshots;
    private final Desk desk;

    SightApi(Locks locks, LocksViewMaker views, KeyReader keys, SharedSnapshot snapshots, Desk desk) {
        this.locks = locks;
        this.views = views;
        this.keys = keys;
        this.snapshots = snapshots;
        this.desk = desk;
    }

    @GetMapping("/api/locks")
    Mono<LocksView> listLocks(
            @RequestParam(required = false) @Nullable String key, @RequestParam(defaultValue = "500") int limit) {
        if (limit < 1 || limit > MOST) {
            throw Problem.invalid("limit", "limit is " + limit + ". Give 1 to " + MOST + ".");
        }
        Predicate<LockKey> wanted = key == null ? any -> true : below(keys.find("key", key));
        return snapshots.take().map(seen -> views.view(seen, locks.storeName(), wanted, limit));
    }

    @GetMapping("/api/locks/graph")
    Mono<Graph> graph() {
        return snapshots.take().map(seen -> GraphMaker.of(seen, desk::nameOf));
    }

    /** By their texts: other processes may hold kinds that this server has not met. */
    private static Predicate<LockKey> below(LockKey top) {
        String text = top.toString();
        String inside = text + "/";
        return key ->
                key.equals(top) || key.toString().equals(text) || key.toString().startsWith(inside);
    }
}
