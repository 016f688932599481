package dev.lockstep.spring.locked;

import dev.lockstep.core.Lease;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import org.springframework.core.Ordered;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * The leases that one transaction depends on. It commits only while all of them are held, and those that were taken inside it are
 * released when it has ended, in whichever way.
 *
 * <p>Spring keeps it with the transaction: while that is suspended, another one has its own.
 */
final class TransactionLeases implements TransactionSynchronization {
    private final Set<Lease> checked = new LinkedHashSet<>();
    private final Deque<Runnable> ends = new ArrayDeque<>();

    private boolean handedOn;

    private TransactionLeases() {}

    /** Whether this thread is inside a transaction that will report its end. */
    static boolean isPossible() {
        return TransactionSynchronizationManager.isSynchronizationActive()
                && TransactionSynchronizationManager.isActualTransactionActive();
    }

    /** Those of the current transaction. */
    static TransactionLeases current() {
        for (TransactionSynchronization each : TransactionSynchronizationManager.getSynchronizations()) {
            if (each instanceof TransactionLeases leases) {
                return leases;
            }
        }
        TransactionLeases added = new TransactionLeases();
        TransactionSynchronizationManager.registerSynchronization(added);
        return added;
    }

    /** Lets the transaction commit only if these are still held then. */
    void check(Collection<Lease> leases) {
        checked.addAll(leases);
    }

    /** The same for one that was taken inside of it, and what to do when the transaction has ended. */
    void keep(Lease lease, Runnable end) {
        checked.add(lease);
        ends.push(end);
    }

    /** Those that are still held. */
    Collection<Lease> held() {
        return checked.stream().filter(Lease::isHeld).toList();
    }

    /** Last, so that whatever others do before the commit is done under the locks. */
    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void beforeCommit(boolean readOnly) {
        checked.forEach(Lease::ensureHeld);
    }

    /** Of those with the same order, the one that came last is called last: so what others do after the commit is done under the locks, too. */
    @Override
    public void beforeCompletion() {
        if (TransactionSynchronizationManager.isSynchronizationActive()) {
            TransactionSynchronizationManager.registerSynchronization(new Release());
            handedOn = true;
        }
    }

    /** One that was added after the commit missed the time before. */
    @Override
    public void afterCompletion(int status) {
        if (!handedOn) {
            endAll();
        }
    }

    private void endAll() {
        while (!ends.isEmpty()) {
            ends.pop().run();
        }
    }

    /** Releases what the transaction kept. */
    private final class Release implements TransactionSynchronization {
        @Override
        public int getOrder() {
            return Ordered.LOWEST_PRECEDENCE;
        }

        @Override
        public void afterCompletion(int status) {
            endAll();
        }
    }
}
