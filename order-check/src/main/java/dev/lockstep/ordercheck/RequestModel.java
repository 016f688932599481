package dev.lockstep.ordercheck;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request as far as the source says.
 *
 * @param complete whether there are no other keys in it
 * @param rest the variable that has the other keys, if one has them
 * @param hasTerm whether it says for how long it holds
 */
record RequestModel(
        List<Wanted> wanted, boolean complete, @Nullable Object rest, boolean hasTerm) {
    /** One key, and the weakest and the strongest mode that it may be requested in. */
    record Wanted(KeyModel key, ModeModel weakest, ModeModel strongest) {}

    static RequestModel unknown(@Nullable Object variable) {
        return new RequestModel(List.of(), false, variable, false);
    }

    static RequestModel of(List<KeyModel> keys, ModeModel mode) {
        return of(keys, mode, mode);
    }

    static RequestModel of(List<KeyModel> keys, ModeModel weakest, ModeModel strongest) {
        return new RequestModel(
                keys.stream().map(key -> new Wanted(key, weakest, strongest)).toList(), true, null, false);
    }

    RequestModel and(RequestModel more) {
        List<Wanted> all = new ArrayList<>(wanted);
        all.addAll(more.wanted);
        return new RequestModel(
                List.copyOf(all),
                complete && more.complete,
                complete ? more.rest : more.complete ? rest : null,
                hasTerm || more.hasTerm);
    }

    RequestModel withTerm() {
        return new RequestModel(wanted, complete, rest, true);
    }
}
