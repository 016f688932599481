package dev.lockstep.cli.verify;

import dev.lockstep.cli.store.LockRows;
import dev.lockstep.core.ErrorCode;
import dev.lockstep.core.LockException;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreAround;
import dev.lockstep.core.spi.StoreBusy;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** Locks rows of a table in memory in the place of keys, as a database does; in one of several wrong ways on request. */
final class RowStore extends StoreAround implements LockRows {
    /** What it does wrong. */
    enum Flaw {
        NONE,
        /** Takes rows one after the other, in the order of the keys. */
        SORTS_BY_KEY,
        /** Takes rows one after the other in their own order, also when two keys share one. */
        TAKES_A_ROW_TWICE,
        /** Locks nothing for a key whose row is missing. */
        SKIPS_MISSING_ROWS,
        /** Reports a missing row as a failure, and not which. */
        HIDES_THE_MISSING_ROW,
        /** Answers that a missing row is taken. */
        REFUSES_MISSING_ROWS
    }

    private record RowKind(int rank) implements LockKind {
        @Override
        public String prefix() {
            return "row" + rank;
        }
    }

    /** What it gave for a request, in the order of taking. */
    private record RowGrant(List<StoreGrant> rows, long token) implements StoreGrant {}

    private static final Comparator<PlannedLock> BY_ROW = Comparator.comparing(PlannedLock::key);

    private final MemoryStore inner;
    private final Flaw flaw;
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    private RowStore(MemoryStore inner, Flaw flaw) {
        super(inner);
        this.inner = inner;
        this.flaw = flaw;
    }

    static RowStore with(Flaw flaw) {
        return new RowStore(MemoryStore.create(), flaw);
    }

    // ---- rows

    /** The row of a key; rows sort like numbers. */
    private LockKey rowKey(LockKey key) {
        return new RowKind(key.rank()).key(String.format(Locale.ROOT, "%05d", bucket(key)));
    }

    @Override
    public String table() {
        return "rows_in_memory";
    }

    @Override
    public void delete(LockKey key) {
        missing.add(rowKey(key).toString());
    }

    @Override
    public void provision() {
        missing.clear();
    }

    private boolean isMissing(PlannedLock lock) {
        return missing.contains(rowKey(lock.key()).toString());
    }

    private LockException failure(LockKey key) {
        return new LockException(
                ErrorCode.STORE_FAILED,
                flaw == Flaw.HIDES_THE_MISSING_ROW
                        ? "Something is missing."
                        : "There is no row with bucket = " + bucket(key) + " in " + table()
                                + ". Run 'lockstep provision'.",
                List.of(key),
                null);
    }

    // ---- the store

    @Override
    public StoreAnswer acquire(StoreRequest request) throws InterruptedException {
        List<PlannedLock> locks = new ArrayList<>(request.plan().locks());
        Optional<PlannedLock> gone = locks.stream().filter(this::isMissing).findFirst();
        if (flaw == Flaw.SKIPS_MISSING_ROWS) {
            locks.removeIf(this::isMissing);
        } else if (gone.isPresent() && flaw == Flaw.REFUSES_MISSING_ROWS) {
            return new StoreBusy(gone.get(), List.of());
        } else if (gone.isPresent()) {
            throw failure(gone.get().key());
        }
        List<PlannedLock> rows = locks.stream()
                .map(lock -> new PlannedLock(rowKey(lock.key()), lock.mode()))
                .toList();
        return switch (flaw) {
            case SORTS_BY_KEY -> take(request, rows.stream().map(List::of).toList());
            case TAKES_A_ROW_TWICE ->
                take(request, rows.stream().sorted(BY_ROW).map(List::of).toList());
            default -> take(request, List.of(merged(rows)));
        };
    }

    private static List<PlannedLock> merged(List<PlannedLock> rows) {
        Map<LockKey, LockMode> modes = new TreeMap<>();
        rows.forEach(row -> modes.merge(row.key(), row.mode(), LockMode::join));
        return modes.entrySet().stream()
                .map(row -> new PlannedLock(row.getKey(), row.getValue()))
                .toList();
    }

    /** Takes rows in steps, one after the other. */
    private StoreAnswer take(StoreRequest request, List<List<PlannedLock>> steps) throws InterruptedException {
        List<StoreGrant> granted = new ArrayList<>();
        for (List<PlannedLock> step : steps) {
            StoreAnswer answer = inner.acquire(part(request, LockPlan.of(step)));
            if (!(answer instanceof StoreGrant grant)) {
                granted.forEach(inner::release);
                return answer;
            }
            granted.add(grant);
        }
        return new RowGrant(granted, granted.get(granted.size() - 1).token());
    }

    /** The same request for some rows. */
    private static StoreRequest part(StoreRequest request, LockPlan plan) {
        UUID id = UUID.randomUUID();
        return (StoreRequest) Proxy.newProxyInstance(
                RowStore.class.getClassLoader(),
                new Class<?>[] {StoreRequest.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "plan" -> plan;
                    case "leaseId" -> id;
                    case "outer" -> List.of();
                    default -> method.invoke(request, arguments);
                });
    }

    @Override
    public List<StoreGrant> renew(List<Renewal> renewals) {
        return renewals.stream()
                .filter(renewal -> !inner.renew(rows(renewal)).isEmpty())
                .map(Renewal::grant)
                .toList();
    }

    private static List<Renewal> rows(Renewal renewal) {
        return ((RowGrant) renewal.grant())
                .rows().stream().map(row -> new Renewal(row, renewal.term())).toList();
    }

    @Override
    public boolean canDowngrade() {
        return false; // as on databases
    }

    @Override
    public boolean release(StoreGrant grant) {
        return ((RowGrant) grant).rows().stream().map(inner::release).reduce(true, Boolean::logicalAnd);
    }
}
