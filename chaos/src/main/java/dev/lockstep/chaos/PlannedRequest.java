package dev.lockstep.chaos;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * What a caller is about to ask for.
 *
 * @param exclusive the keys to lock exclusively
 * @param shared further keys, which others may share
 * @param longestWait for the whole request
 * @param term of a lease that isn't renewed by itself, else null
 */
record PlannedRequest(
        List<LockKey> exclusive,
        List<LockKey> shared,
        Duration longestWait,
        @Nullable Duration term) {
    private static final int MOST_KEYS = 3;

    static PlannedRequest among(List<LockKey> pool, Random random, @Nullable Duration term) {
        List<LockKey> keys = new ArrayList<>(pool);
        Collections.shuffle(keys, random);
        List<LockKey> exclusive = new ArrayList<>();
        List<LockKey> shared = new ArrayList<>();
        for (LockKey key : keys.subList(0, 1 + random.nextInt(MOST_KEYS))) {
            (random.nextInt(3) > 0 ? exclusive : shared).add(key);
        }
        int longest = random.nextInt(8) == 0 ? 6_000 : 1_500; // some wait long enough to show a wake-up that was lost
        return new PlannedRequest(exclusive, shared, Duration.ofMillis(20 + random.nextInt(longest)), term);
    }

    /** The same key as an outer lease has it: so nothing has to be taken for it. */
    static PlannedRequest covered(LockKey key, boolean exclusively) {
        List<LockKey> one = List.of(key);
        return new PlannedRequest(
                exclusively ? one : List.of(), exclusively ? List.of() : one, Duration.ofSeconds(1), null);
    }

    LockRequest request(String owner) {
        LockRequest request = exclusive.isEmpty() ? LockRequest.shared(shared) : LockRequest.exclusive(exclusive);
        if (!exclusive.isEmpty() && !shared.isEmpty()) {
            request = request.andShared(shared.toArray(LockKey[]::new));
        }
        request = request.within(longestWait).as(owner);
        return term == null ? request : request.forTerm(term);
    }
}
