package dev.lockstep.server.http;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Ids that answers gave, the newest first, and some that never were. */
final class KnownIds {
    private static final List<String> NEVER = List.of("nobody", "a-b-c", "r1", "\u00e9", "a/b", "%");
    private static final int MOST = 8;

    private final Deque<String> given = new ArrayDeque<>();

    synchronized void remember(String id) {
        given.addFirst(id);
        if (given.size() > MOST) {
            given.removeLast();
        }
    }

    /** Half of the time the newest, which is the most likely to be still good for something. */
    synchronized String one(Random random) {
        if (!given.isEmpty() && random.nextBoolean()) {
            return given.getFirst();
        }
        List<String> choices = random.nextBoolean() && !given.isEmpty() ? List.copyOf(given) : NEVER;
        return choices.get(random.nextInt(choices.size()));
    }
}
