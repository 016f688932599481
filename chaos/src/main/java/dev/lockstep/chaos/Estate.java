package dev.lockstep.chaos;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What is locked: houses with floors with rooms, few enough to be fought for; and carts, which rank above, for nested calls. */
enum Estate implements LockKind {
    HOUSE(0, null),
    FLOOR(1, HOUSE),
    ROOM(2, FLOOR),
    CART(9, null);

    private static final List<String> NAMES = List.of("a", "b");

    private final int rank;
    private final @Nullable Estate parent;

    Estate(int rank, @Nullable Estate parent) {
        this.rank = rank;
        this.parent = parent;
    }

    @Override
    public String prefix() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int rank() {
        return rank;
    }

    @Override
    public Optional<LockKind> parent() {
        return Optional.ofNullable(parent);
    }

    @Override
    public boolean leaf() {
        return this == ROOM || this == CART;
    }

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
