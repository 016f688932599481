package dev.lockstep.chaos;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Ranked;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What is locked: houses with floors with rooms, few enough to be fought for; and carts, which rank above, for nested calls. */
enum Estate implements LockKind {
    @Ranked(0)
    HOUSE,
    @Ranked(value = 1, in = "HOUSE")
    FLOOR,
    @Ranked(value = 2, in = "FLOOR", leaf = true)
    ROOM,
    @Ranked(value = 9, leaf = true)
    CART;

    private static final List<String> NAMES = List.of("a", "b");

    /** Houses, floors and rooms. */
    static List<LockKey> places() {
        List<LockKey> places = new ArrayList<>();
        for (LockKey house : houses()) {
            places.add(house);
            for (String floor : NAMES) {
                LockKey upstairs = house.child(FLOOR, floor);
                places.add(upstairs);
                NAMES.forEach(room -> places.add(upstairs.child(ROOM, room)));
            }
        }
        return places;
    }

    static List<LockKey> houses() {
        return Stream.of("a", "b", "c", "d").map(HOUSE::key).toList();
    }

    static List<LockKey> carts() {
        return List.of(CART.key("a"), CART.key("b"), CART.key("c"));
    }
}
