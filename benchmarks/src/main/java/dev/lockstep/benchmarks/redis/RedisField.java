package dev.lockstep.benchmarks.redis;

import dev.lockstep.benchmarks.measure.Comparison;
import dev.lockstep.benchmarks.measure.Contender;
import dev.lockstep.benchmarks.measure.Rounds;
import java.util.ArrayList;
import java.util.List;
import org.redisson.api.redisnode.RedisNode;

/** Lockstep and Redisson on one Redis, each with one client that all its contenders share. */
final class RedisField implements AutoCloseable {
    private static final int SET = 3;

    /** One of Lockstep's and one of the peer's, and the ratio that is asked for; none when it is not above zero. */
    private record Pair(String title, double asked, Contender ours, Contender theirs) {
        Comparison compare(Rounds rounds) {
            return asked > 0
                    ? Comparison.asking(asked, title, rounds.of(ours), rounds.of(theirs))
                    : Comparison.only(title, rounds.of(ours), rounds.of(theirs));
        }
    }

    private final LockstepOnRedis lockstep;
    private final RedissonOnRedis redisson;
    private final List<Pair> pairs;

    private RedisField(LockstepOnRedis lockstep, RedissonOnRedis redisson) {
        this.lockstep = lockstep;
        this.redisson = redisson;
        Contender set = ours("Lockstep, set of 3", lockstep.set(SET));
        pairs = List.of(
                new Pair(
                        "3 levels, three RReadWriteLocks",
                        4,
                        ours("Lockstep, 3 levels", lockstep.levels()),
                        theirs("Redisson, three RReadWriteLocks", redisson.levels())),
                new Pair("set of 3, MultiLock of 3 RLocks", 4, set, theirs("Redisson, MultiLock", redisson.set(SET))),
                new Pair(
                        "set of 3, MultiLock of 3 values in a group",
                        0,
                        set,
                        theirs("Redisson, MultiLock of a group", redisson.groupedSet(SET))),
                new Pair(
                        "one key, RLock",
                        1.5,
                        ours("Lockstep, one key", lockstep.key()),
                        theirs("Redisson, RLock", redisson.key())));
    }

    /** Lockstep first, whose namespace is made before another contender uses the server. */
    static RedisField at(String url) {
        LockstepOnRedis lockstep = LockstepOnRedis.createdAt(url);
        try {
            return new RedisField(lockstep, RedissonOnRedis.at(url));
        } catch (RuntimeException e) {
            lockstep.close();
            throw e;
        }
    }

    private static Contender ours(String name, Taker taker) {
        return new TakerContender(name, LockstepOnRedis.configuration(), taker);
    }

    private Contender theirs(String name, Taker taker) {
        return new TakerContender(name, redisson.configuration(), taker);
    }

    List<String> configuration() {
        return List.of(
                "Lockstep: " + String.join("; ", LockstepOnRedis.configuration()),
                "Redisson: " + String.join("; ", redisson.configuration()));
    }

    List<Contender> all() {
        List<Contender> all = new ArrayList<>();
        pairs.forEach(pair -> {
            all.add(pair.ours);
            all.add(pair.theirs);
        });
        return all.stream().distinct().toList();
    }

    List<Comparison> compare(Rounds rounds) {
        return pairs.stream().map(pair -> pair.compare(rounds)).toList();
    }

    HandOff handOff() {
        return new HandOff(lockstep.hotKey(), redisson.hotKey(), redisson.fairHotKey());
    }

    RedisNode node() {
        return redisson.node();
    }

    @Override
    public void close() {
        redisson.close();
        lockstep.close();
    }
}
