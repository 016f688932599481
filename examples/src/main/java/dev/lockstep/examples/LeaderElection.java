package dev.lockstep.examples;

import dev.lockstep.core.FencingToken;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.Locks;
import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.core.leadership.Stop;
import dev.lockstep.core.leadership.Term;
import java.util.concurrent.CountDownLatch;

/** Two candidates for one leadership; the first leads until it resigns, and then the second does. */
public final class LeaderElection {
    private static final LockKey IMPORTER = LockKind.of("leader", 900).asLeaf().key("importer");

    private final FencedFile file = new FencedFile();
    private final CountDownLatch handedOver = new CountDownLatch(1);

    private LeaderElection() {}

    public static void main(String[] args) throws InterruptedException {
        try (Locks locks = Backstage.patientLocks()) {
            new LeaderElection().run(locks);
        }
    }

    private void run(Locks locks) throws InterruptedException {
        // tag::leadership
        Leadership leadership = locks.leadership(IMPORTER)
                .as("node-1")
                .whenElected(this::startImports) // after the grant
                .whenStopped(this::stopImports) // before another node leads, if this one resigns
                .start();
        // end::leadership
        Leadership other = locks.leadership(IMPORTER)
                .as("node-2")
                .whenElected(term -> handedOver.countDown())
                .start();
        System.out.println("leads: " + other.leader().orElseThrow().owner());
        // tag::leadership-use
        leadership.term().ifPresent(term -> write("row 1", term));
        leadership.resign(); // it stands again behind the others
        // end::leadership-use
        handedOver.await();
        System.out.println("leads: " + other.leader().orElseThrow().owner());
        leadership.close(); // first, or it would lead again
        other.close();
    }

    private void startImports(Term term) {
        System.out.println(term.owner() + " starts");
    }

    private void stopImports(Stop stop) {
        System.out.println(stop.term().owner() + " stops: " + stop.reason());
    }

    // tag::leadership-write
    private void write(String text, Term term) {
        term.ensureHeld(); // by the clocks of this machine
        FencingToken token = term.token(); // and a guard that sees a greater one refuses this write
        System.out.println("written: " + file.write(text, token));
    }
    // end::leadership-write
}
