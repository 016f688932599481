package dev.lockstep.testkit;

import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.LockStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The part of a {@link FaultyStore} that breaks the contract silently. Without a breach it does what the store inside does. */
final class BreachedStore extends StoreAround {
    private static final Duration FOR_EVER = Duration.ofHours(1);

    private final LockStore inner;
    private final Set<Breach> breaches = Collections.synchronizedSet(EnumSet.noneOf(Breach.class));

    BreachedStore(LockStore inner) {
        super(inner);
        this.inner = inner;
    }

    void add(Breach breach) {
        breaches.add(breach);
    }

    void heal() {
        breaches.clear();
    }

    private boolean has(Breach breach) {
        return breaches.contains(breach);
    }

    // ---- taking

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        if (breaches.isEmpty()) {
            return inner.acquire(request);
        }
        BreachedRequest asked = misunderstood(request);
        StoreAnswer answer = has(Breach.TAKES_SETS_IN_ANY_ORDER) && asked.plan().size() > 1
                ? piecemeal(asked)
                : inner.acquire(asked);
        if (answer instanceof StoreBusy busy && has(Breach.KEEPS_PARTS_OF_SETS)) {
            keepWhatCameBefore(busy, asked);
        }
        return answer instanceof StoreGrant grant ? breached(grant) : answer;
    }

    private BreachedRequest misunderstood(StoreRequest request) {
        BreachedRequest asked = BreachedRequest.of(request);
        if (has(Breach.TAKES_EXCLUSIVE_AS_SHARED)) {
            asked = asked.plan(withModes(asked.plan(), mode -> LockMode.INTENT_SHARED));
        }
        if (has(Breach.TAKES_SHARED_AS_EXCLUSIVE)) {
            asked = asked.plan(withModes(asked.plan(), mode -> LockMode.EXCLUSIVE));
        }
        if (has(Breach.IGNORES_ANCESTORS)) {
            asked = asked.plan(withoutIntents(asked.plan()));
        }
        return has(Breach.IGNORES_TERMS) ? asked.term(FOR_EVER) : asked;
    }

    private static LockPlan withModes(LockPlan plan, UnaryOperator<LockMode> change) {
        return LockPlan.of(plan.locks().stream()
                .map(lock -> new PlannedLock(lock.key(), change.apply(lock.mode())))
                .toList());
    }

    private static LockPlan withoutIntents(LockPlan plan) {
        return LockPlan.of(plan.locks().stream()
                .filter(lock -> lock.mode() == LockMode.SHARED || lock.mode() == LockMode.EXCLUSIVE)
                .toList());
    }

    private StoreAnswer piecemeal(BreachedRequest asked) throws InterruptedException {
        List<PlannedLock> locks = new ArrayList<>(asked.plan().locks());
        Collections.shuffle(locks);
        List<StoreGrant> had = new ArrayList<>();
        for (PlannedLock lock : locks) {
            StoreAnswer answer = inner.acquire(asked.part(LockPlan.of(List.of(lock)), asked.waits()));
            if (!(answer instanceof StoreGrant grant)) {
                had.forEach(inner::release);
                return answer;
            }
            had.add(grant);
        }
        return new BreachedGrant(List.copyOf(had), had.get(had.size() - 1).token());
    }

    private void keepWhatCameBefore(StoreBusy busy, BreachedRequest asked) throws InterruptedException {
        List<PlannedLock> before = asked.plan().locks().stream()
                .filter(lock -> lock.key().compareTo(busy.waitedFor().key()) < 0)
                .toList();
        if (!before.isEmpty()) {
            inner.acquire(asked.part(LockPlan.of(before), false));
        }
    }

    private StoreGrant breached(StoreGrant grant) {
        if (has(Breach.FORGETS_GRANTS)) {
            BreachedGrant.parts(grant).forEach(inner::release);
        }
        return has(Breach.REPEATS_TOKENS) ? new BreachedGrant(BreachedGrant.parts(grant), 1) : grant;
    }

    // ---- keeping and releasing

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        if (breaches.isEmpty()) {
            return inner.renew(renewals);
        }
        if (has(Breach.FORGETS_GRANTS)) {
            return List.of();
        }
        return renewals.stream()
                .filter(renewal -> !inner.renew(parts(renewal)).isEmpty())
                .map(Renewal::grant)
                .toList();
    }

    private static List<Renewal> parts(Renewal renewal) {
        return BreachedGrant.parts(renewal.grant()).stream()
                .map(part -> new Renewal(part, renewal.term()))
                .toList();
    }

    @Override
    public void downgrade(StoreGrant grant) {
        BreachedGrant.parts(grant).forEach(inner::downgrade);
    }

    @Override
    public boolean release(StoreGrant grant) {
        if (has(Breach.KEEPS_WHAT_IS_RELEASED) || has(Breach.FORGETS_GRANTS)) {
            return true;
        }
        boolean held = true;
        for (StoreGrant part : BreachedGrant.parts(grant)) {
            held &= inner.release(part);
        }
        return held;
    }

    // ---- the rest

    @Override
    public LockSnapshot snapshot() {
        return has(Breach.SHOWS_NOTHING) ? new LockSnapshot(List.of(), List.of()) : inner.snapshot();
    }
}
