package dev.lockstep.etcd;

import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.etcd.EntryCycleSearch.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a waiting request is part of a deadlock, across processes. Every request looks that waits while it holds something; the youngest
 * of the cycle that does fails. All entries are read at one revision, so a cycle in them is real. Requests that look at the same time share
 * one reading, and one thread searches: the threads of the connections have other requests to serve.
 */
final class EntryDeadlockSearch implements AutoCloseable {
    private static final long IDLE_SECONDS = 10;
    private static final Comparator<StoredEntry> YOUNGER =
            Comparator.comparing((StoredEntry each) -> each.record().since()).thenComparing(StoredEntry::lease);

    private final EtcdLockInspector inspector;
    private final EtcdKinds kinds;
    private final AtomicReference<@Nullable CompletableFuture<EntryTable>> reading = new AtomicReference<>();

    private final ThreadPoolExecutor thread;

    EntryDeadlockSearch(EtcdLockInspector inspector, EtcdKinds kinds) {
        this.inspector = inspector;
        this.kinds = kinds;
        thread = new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
            Thread search = new Thread(task, "lockstep-etcd-deadlocks");
            search.setDaemon(true);
            return search;
        });
        thread.allowCoreThreadTimeOut(true);
    }

    /** The deadlock that this waiting lease is part of, if there is one. */
    CompletableFuture<Optional<DeadlockReport>> find(UUID lease) {
        return table().thenApplyAsync(table -> cycle(table, lease), thread)
                .thenCompose(cycle -> cycle.isEmpty()
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : kinds.read().thenApply(known -> Optional.of(describe(cycle, known))));
    }

    private static List<Step> cycle(EntryTable table, UUID lease) {
        return table.waitsInCycle(lease) ? new EntryCycleSearch(table, lease).find() : List.of();
    }

    /** What is under way ends; later searches are refused. */
    @Override
    public void close() {
        thread.shutdown();
    }

    private CompletableFuture<EntryTable> table() {
        CompletableFuture<EntryTable> running = reading.get();
        if (running != null) {
            return running;
        }
        CompletableFuture<EntryTable> next = new CompletableFuture<>();
        if (!reading.compareAndSet(null, next)) {
            return table();
        }
        CompletionStage<?> unused = inspector.entries().whenComplete((table, error) -> {
            reading.set(null);
            if (error == null) {
                next.complete(table);
            } else {
                next.completeExceptionally(error);
            }
        });
        return next;
    }

    private static DeadlockReport describe(List<Step> cycle, Kinds kinds) {
        List<Participant> participants = new ArrayList<>();
        @Nullable StoredEntry youngest = null;
        for (int i = 0; i < cycle.size(); i++) {
            Step before = cycle.get((i + cycle.size() - 1) % cycle.size());
            StoredEntry waiting = cycle.get(i).waiting();
            participants.add(describe(waiting, before, kinds));
            if (!before.blockerWaits() && (youngest == null || YOUNGER.compare(waiting, youngest) > 0)) {
                youngest = waiting;
            }
        }
        UUID victim = youngest == null ? cycle.get(0).waiting().lease() : youngest.lease();
        return new DeadlockReport(participants, victim);
    }

    private static Participant describe(StoredEntry waiting, Step before, Kinds kinds) {
        PlannedLock heldAgainst = new PlannedLock(
                kinds.parse(before.waiting().key()), before.blocker().mode());
        return new Participant(
                waiting.record().owner(),
                waiting.lease(),
                before.blockerWaits() ? List.of() : List.of(heldAgainst),
                new PlannedLock(kinds.parse(waiting.key()), waiting.mode()),
                waiting.record().since(),
                waiting.record().callSite());
    }
}
