package dev.lockstep.core.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.core.Estate;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.function.Predicate;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.EdgeCasesMode;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.PropertyDefaults;
import net.jqwik.api.Provide;
import net.jqwik.api.Tag;

@Label("plans against the naive meaning of shared and exclusive")
@PropertyDefaults(edgeCases = EdgeCasesMode.NONE)
@Tag("once") // its subject is the model
class LockPlanPropertyTest {
    /** One thing that is asked for. */
    record Asked(LockKey key, boolean exclusive) {
        /** Two asks meet when one thing is, or contains, the other, and not both are shared. */
        boolean meets(Asked other) {
            boolean related = key.equals(other.key) || contains(key, other.key) || contains(other.key, key);
            return related && (exclusive || other.exclusive);
        }

        private static boolean contains(LockKey outer, LockKey inner) {
            for (LockKey up = inner.parent().orElse(null);
                    up != null;
                    up = up.parent().orElse(null)) {
                if (up.equals(outer)) {
                    return true;
                }
            }
            return false;
        }
    }

    // ---- shape

    @Property(tries = 3000)
    @Label("is strictly sorted, so every key is in it once")
    void sorted(@ForAll("asks") List<Asked> asks) {
        List<LockKey> keys = plan(asks).locks().stream().map(PlannedLock::key).toList();
        assertThat(keys).isEqualTo(List.copyOf(new TreeSet<>(keys))).isNotEmpty();
    }

    @Property(tries = 3000)
    @Label("takes every ancestor of what it takes, or something above that covers it")
    void ancestorsAreTaken(@ForAll("asks") List<Asked> asks) {
        LockPlan plan = plan(asks);
        for (PlannedLock lock : plan.locks()) {
            for (LockKey up = lock.key().parent().orElse(null);
                    up != null;
                    up = up.parent().orElse(null)) {
                LockMode above = PlanCoverage.find(plan, up).orElseThrow().mode();
                assertThat(above.covers(lock.mode().intent())).isTrue();
            }
        }
    }

    @Property(tries = 3000)
    @Label("has nothing that an ancestor in it covers")
    void nothingInVain(@ForAll("asks") List<Asked> asks) {
        List<PlannedLock> locks = plan(asks).locks();
        for (PlannedLock above : locks) {
            for (PlannedLock below : locks) {
                assertThat(Asked.contains(above.key(), below.key()) && naivelyCovers(above.mode(), below.mode()))
                        .as("%s covers %s in %s", above, below, locks)
                        .isFalse();
            }
        }
    }

    private static boolean naivelyCovers(LockMode above, LockMode below) {
        boolean belowOnlyReads = below == LockMode.SHARED || below == LockMode.INTENT_SHARED;
        boolean aboveReadsAll = above == LockMode.SHARED || above == LockMode.SHARED_INTENT_EXCLUSIVE;
        return above == LockMode.EXCLUSIVE || (aboveReadsAll && belowOnlyReads);
    }

    @Property(tries = 3000)
    @Label("doesn't depend on the order of naming, nor on naming twice")
    void orderOfNamingIsNothing(@ForAll("asks") List<Asked> asks, @ForAll Random random) {
        List<Asked> again = new ArrayList<>(asks);
        for (int i = random.nextInt(4); i > 0; i--) {
            again.add(asks.get(random.nextInt(asks.size())));
        }
        Collections.shuffle(again, random);
        assertThat(plan(again).locks()).isEqualTo(plan(asks).locks());
    }

    // ---- meaning

    @Property(tries = 10_000)
    @Label("two plans conflict exactly when what was asked for conflicts")
    void conflicts(@ForAll("asks") List<Asked> one, @ForAll("asks") List<Asked> other) {
        assertThat(conflict(plan(one).locks(), plan(other).locks()))
                .as("%s and %s", plan(one), plan(other))
                .isEqualTo(meet(one, other));
    }

    @Property(tries = 10_000)
    @Label("leaving out what held plans cover loses no protection and adds no conflict")
    void withoutTheCovered(
            @ForAll("holdings") List<List<Asked>> held,
            @ForAll("asks") List<Asked> asks,
            @ForAll("asks") List<Asked> other) {
        List<LockPlan> heldPlans = held.stream().map(LockPlanPropertyTest::plan).toList();
        LockPlan full = plan(asks);
        LockPlan rest = PlanCoverage.without(
                full, lock -> heldPlans.stream().anyMatch(each -> PlanCoverage.covers(each, lock)));
        List<PlannedLock> withRest = new ArrayList<>(rest.locks());
        heldPlans.forEach(each -> withRest.addAll(each.locks()));

        List<Asked> all = new ArrayList<>(asks);
        held.forEach(all::addAll);
        assertThat(full.locks()).containsAll(rest.locks());
        assertThat(conflict(withRest, plan(other).locks())).isEqualTo(meet(all, other));
    }

    @Property
    @Label("a plan covers all of itself, and whatever it covers adds no conflict to it")
    void coversItself(@ForAll("asks") List<Asked> asks, @ForAll("asks") List<Asked> other) {
        LockPlan plan = plan(asks);
        Predicate<PlannedLock> covered = lock -> PlanCoverage.covers(plan, lock);
        assertThat(plan.locks()).allMatch(covered);
        assertThat(PlanCoverage.without(plan, covered).isEmpty()).isTrue();
        if (plan(other).locks().stream().allMatch(covered)) {
            for (Asked asked : other) {
                assertThat(asks)
                        .anyMatch(mine -> (mine.exclusive() || !asked.exclusive())
                                && (mine.key().equals(asked.key()) || Asked.contains(mine.key(), asked.key())));
            }
        }
    }

    private static boolean meet(List<Asked> one, List<Asked> other) {
        return one.stream().anyMatch(mine -> other.stream().anyMatch(mine::meets));
    }

    private static boolean conflict(List<PlannedLock> one, List<PlannedLock> other) {
        return one.stream()
                .anyMatch(mine -> other.stream()
                        .anyMatch(theirs ->
                                mine.key().equals(theirs.key()) && !mine.mode().compatibleWith(theirs.mode())));
    }

    static LockPlan plan(List<Asked> asks) {
        return LockPlan.of(request(asks));
    }

    static LockRequest request(List<Asked> asks) {
        LockRequest request = null;
        for (Asked asked : asks) {
            LockKey key = asked.key();
            if (request == null) {
                request = asked.exclusive() ? LockRequest.exclusive(key) : LockRequest.shared(key);
            } else {
                request = asked.exclusive() ? request.andExclusive(key) : request.andShared(key);
            }
        }
        return request;
    }

    // ---- what is generated

    /** A forest small enough for requests to meet often. */
    static Arbitrary<LockKey> key() {
        return Combinators.combine(
                        Arbitraries.integers().between(0, 5),
                        Arbitraries.of(0, 0, 1),
                        Arbitraries.of(0, 1),
                        Arbitraries.of(0, 1),
                        Arbitraries.of(0, 1))
                .as(LockPlanPropertyTest::key);
    }

    private static LockKey key(int depth, int user, int account, int resource, int part) {
        LockKey key = depth == 0 ? Estate.ITEM.key("i" + account) : Estate.USER.key("u" + user);
        if (depth > 1) {
            key = key.child(Estate.ACCOUNT, "a" + account);
        }
        if (depth > 2) {
            key = key.child(Estate.RESOURCE, "r" + resource);
        }
        return depth > 3 ? key.child(Estate.PART, "p" + part) : key;
    }

    @Provide
    static Arbitrary<List<Asked>> asks() {
        return Combinators.combine(key(), Arbitraries.of(true, false))
                .as(Asked::new)
                .list()
                .ofMinSize(1)
                .ofMaxSize(6);
    }

    @Provide
    static Arbitrary<List<List<Asked>>> holdings() {
        return asks().list().ofMaxSize(3);
    }
}
