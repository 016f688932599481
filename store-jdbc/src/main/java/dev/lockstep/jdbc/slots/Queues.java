package dev.lockstep.jdbc.slots;

import dev.lockstep.core.WaitingLock;
import dev.lockstep.core.memory.MemoryStore;
import dev.lockstep.core.spi.Renewal;
import dev.lockstep.core.spi.StoreAnswer;
import dev.lockstep.core.spi.StoreGrant;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Duration;
import java.util.List;

/** Where requests of this process queue for rows before they go to the server: first come, first served. */
public final class Queues implements AutoCloseable {
    private final MemoryStore rows = MemoryStore.create();

    /** Waits until no other request of this process is ahead. {@code heldUp} is run when that takes more than a moment. */
    public StoreAnswer await(AcquisitionAttempt attempt, Runnable heldUp) throws InterruptedException {
        StoreAnswer answer = rows.acquire(attempt.queueing(attempt.locks, true, heldUp));
        if (answer instanceof StoreGrant grant) {
            attempt.tickets.add(new QueueTicket(attempt.locks, grant));
        }
        return answer;
    }

    /** Takes a ticket for each row if no request of this process is ahead; else the server decides the order. */
    public void enter(AcquisitionAttempt attempt, List<ServerLock> locks) throws InterruptedException {
        if (rows.acquire(attempt.queueing(locks, false, () -> {})) instanceof StoreGrant grant) {
            attempt.tickets.add(new QueueTicket(locks, grant));
        }
    }

    /** Lets others of this process have what comes behind the lock that is waited for. */
    public void keepUpTo(AcquisitionAttempt attempt, ServerLock lock) {
        int last = attempt.tickets.size() - 1;
        int at = last < 0 ? -1 : attempt.tickets.get(last).rows().indexOf(lock);
        if (at >= 0) {
            rows.keepFirst(attempt.tickets.get(last).grant(), at + 1);
        }
    }

    public void renew(List<QueueTicket> tickets, Duration term) {
        rows.renew(tickets.stream()
                .map(ticket -> new Renewal(ticket.grant(), term))
                .toList());
    }

    public void leave(List<QueueTicket> tickets) {
        for (int i = tickets.size() - 1; i >= 0; i--) {
            rows.release(tickets.get(i).grant());
        }
    }

    public void cancel(StoreRequest request) {
        rows.cancel(request);
    }

    public List<WaitingLock> waiters() {
        return rows.snapshot().waiters();
    }

    @Override
    public void close() {
        rows.close();
    }
}
