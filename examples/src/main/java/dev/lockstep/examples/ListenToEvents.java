package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.LockType.CHARACTER;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockEvent;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A listener hears of everything that happens, on its own thread. */
public final class ListenToEvents {
    private ListenToEvents() {}

    public static void main(String[] args) throws InterruptedException {
        CountDownLatch heard = new CountDownLatch(2);
        try (Locks locks = Backstage.patientLocks()) {
            Locks.Subscription subscription = listen(locks, heard);
            try (Lease lease = locks.acquire(exclusive(CHARACTER.key("A")))) {
                Backstage.askElsewhere(
                        locks, exclusive(CHARACTER.key("A")).as("latecomer").within(Duration.ofMillis(10)));
                lease.ensureHeld();
            }
            Lease brief = locks.acquire(exclusive(CHARACTER.key("A")).forTerm(Duration.ofMillis(100)));
            System.out.println(heard.await(60, TimeUnit.SECONDS) ? "heard both" : "heard too little");
            brief.close();
            subscription.close();
        }
    }

    private static Locks.Subscription listen(Locks locks, CountDownLatch heard) {
        // tag::events
        Locks.Subscription subscription = locks.subscribe(event -> {
            if (event instanceof LockEvent.TimedOut late) {
                System.out.println("timed out waiting for " + late.busy().key());
                heard.countDown();
            } else if (event instanceof LockEvent.Lost lost) {
                System.out.println("lost " + lost.subject().keys() + ": " + lost.loss());
                heard.countDown();
            }
        });
        // end::events
        return subscription;
    }
}
