package dev.lockstep.benchmarks.measure;

import dev.lockstep.core.LockKey;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** The things that are locked on servers. They are named beforehand, so that it takes no measured time. */
public final class Population {
    private static final int USERS = 1_000;
    private static final int EACH = 10;

    /** 1,000 users x 10 accounts x 10 resources. */
    public static final int RESOURCES = USERS * EACH * EACH;

    /** So many that eight threads rarely meet, so few that all of them are soon known to peers that keep a row for each. */
    public static final int NAMES = 1_000;

    private Population() {}

    /** All resources, with their accounts and users above them. */
    public static List<LockKey> resources() {
        return IntStream.range(0, RESOURCES).mapToObj(Population::resource).toList();
    }

    private static LockKey resource(int index) {
        return BenchmarkKinds.USER
                .key("u" + index / (EACH * EACH))
                .child(BenchmarkKinds.ACCOUNT, "a" + index / EACH % EACH)
                .child(BenchmarkKinds.RESOURCE, "r" + index % EACH);
    }

    /** Names for those who lock one key. */
    public static List<String> names() {
        return names(NAMES);
    }

    public static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(index -> "key-" + index).toList();
    }

    public static <T> T anyOf(List<T> all) {
        return all.get(ThreadLocalRandom.current().nextInt(all.size()));
    }

    /** Some that are all different. */
    public static <T> List<T> anyOf(List<T> all, int count) {
        return ThreadLocalRandom.current()
                .ints(0, all.size())
                .distinct()
                .limit(count)
                .mapToObj(all::get)
                .toList();
    }
}
