package dev.lockstep.examples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.examples.AccountKinds.ACCOUNT;
import static dev.lockstep.examples.AccountKinds.RESOURCE;
import static dev.lockstep.examples.AccountKinds.USER;
import static dev.lockstep.examples.LockType.CHARACTER;
import static dev.lockstep.examples.LockType.EQUIPMENT;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.CallSites;
import dev.lockstep.core.DeadlockException;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.Locks;
import dev.lockstep.core.LocksBuilder;
import dev.lockstep.core.OrderPolicy;
import dev.lockstep.core.OrderViolation;
import dev.lockstep.core.OrderViolationException;
import dev.lockstep.core.memory.MemoryStore;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/** The scenes of the {@link Demo}, each on its own store. */
final class DemoScenes {
    private static final LockKey A1 = USER.key("u1").child(ACCOUNT, "a1");
    private static final LockKey R1 = A1.child(RESOURCE, "r1");
    private static final LockKey R2 = A1.child(RESOURCE, "r2");
    private static final LockKey OTHER = USER.key("u1").child(ACCOUNT, "a2").child(RESOURCE, "r9");

    private final DemoScreen screen;

    DemoScenes(DemoScreen screen) {
        this.screen = screen;
    }

    private static LocksBuilder options() {
        return Locks.builder(MemoryStore.create())
                .callSites(CallSites.ALWAYS)
                .defaultTerm(Backstage.LONG)
                .defaultWait(Backstage.LONG);
    }

    private static void pause(int millis) {
        Backstage.pause(Duration.ofMillis(millis));
    }

    // ---- 1

    void hierarchy() {
        screen.scene(
                "A lock on an account covers everything in it, and nothing beside it",
                "A lock on a resource leaves an intent on its account and its user. That is where they conflict.");
        try (Locks locks = options().build()) {
            Lease account = locks.acquire(exclusive(A1).as("close-account"));
            screen.line("close-account", "has       " + A1);
            Thread r1 = Backstage.start("pay-r1", () -> hold(locks, R1));
            Backstage.awaitWaiter(locks, "pay-r1");
            screen.line("pay-r1", "waits for " + R1);
            Backstage.join(Backstage.start("pay-r9", () -> hold(locks, OTHER)));
            pause(300);
            screen.line("close-account", "releases");
            account.close();
            Thread r2 = Backstage.start("pay-r2", () -> hold(locks, R2));
            Backstage.join(r1);
            Backstage.join(r2);
        }
    }

    private void hold(Locks locks, LockKey key) {
        locks.run(exclusive(key), lease -> {
            screen.line(lease.owner(), "has       " + key);
            pause(50);
        });
    }

    // ---- 2

    void oneOrder() {
        screen.scene(
                "Two workers name two locks in opposite order, 100 times each, and both finish",
                "Whatever order a call names, CHARACTER (rank 1) is taken before EQUIPMENT (rank 2).");
        LockKey character = CHARACTER.key("A");
        LockKey equipment = EQUIPMENT.key("B");
        try (Locks locks = options().build()) {
            Thread equip = Backstage.start("equip", () -> takeTurns(locks, character, equipment));
            Thread repair = Backstage.start("repair", () -> takeTurns(locks, equipment, character));
            Backstage.join(equip);
            Backstage.join(repair);
        }
    }

    private void takeTurns(Locks locks, LockKey first, LockKey second) {
        String name = Thread.currentThread().getName();
        screen.line(name, "names " + first.named() + ", then " + second.named());
        for (int i = 0; i < 100; i++) {
            locks.run(exclusive(first, second), lease -> pause(1));
        }
        screen.line(name, "had both 100 times");
    }

    // ---- 3

    void violation() {
        screen.scene(
                "A nested call against the order is refused before it can block",
                "One after the other is allowed in the order of the ranks only, so no two threads can wait for each other.");
        try (Locks locks = options().build()) {
            takeEquipment(locks);
        } catch (OrderViolationException e) {
            OrderViolation violation = e.violation();
            screen.line(
                    "repair",
                    "is refused, and both places are shown:",
                    "held   " + violation.held() + "  " + place(violation.heldAt()),
                    "asked  " + violation.asked() + "  " + place(violation.askedAt()));
        }
    }

    @SuppressWarnings("lockstep:order") // the demo shows what happens at run time
    private void takeEquipment(Locks locks) {
        locks.run(exclusive(EQUIPMENT.key("B")).as("repair"), outer -> takeCharacter(locks));
    }

    private void takeCharacter(Locks locks) {
        screen.line("repair", "has 02:equipment:B and asks for 01:character:A");
        locks.run(exclusive(CHARACTER.key("A")).as("repair"), inner -> screen.line("repair", "never gets here"));
    }

    private static String place(Optional<CallSite> site) {
        return site.map(CallSite::frame)
                .map(frame -> frame.getMethodName() + "(" + frame.getFileName() + ":" + frame.getLineNumber() + ")")
                .orElse("?");
    }

    // ---- 4

    @SuppressWarnings("lockstep:order")
    void deadlock() {
        screen.scene(
                "With the order guard switched off the same mistake is a deadlock, found at once",
                "Who waits for whom is a graph. The request that closes a cycle is found; the youngest in it fails.");
        try (Locks locks = options().orderPolicy(OrderPolicy.OFF).build()) {
            CountDownLatch bothHold = new CountDownLatch(2);
            Thread forth = Backstage.start("forth", () -> oneAfterTheOther(locks, R1, R2, bothHold));
            Thread back = Backstage.start("back", () -> oneAfterTheOther(locks, R2, R1, bothHold));
            Backstage.join(forth);
            Backstage.join(back);
        }
    }

    private void oneAfterTheOther(Locks locks, LockKey first, LockKey then, CountDownLatch bothHold) {
        String name = Thread.currentThread().getName();
        try {
            locks.run(exclusive(first), outer -> {
                bothHold.countDown();
                bothHold.await();
                takeSecond(locks, then);
            });
            screen.line(name, "had both");
        } catch (DeadlockException e) {
            screen.line(
                    name,
                    "is the youngest and fails. The report:",
                    e.report().cycle().stream().flatMap(DemoScenes::tell).toArray(String[]::new));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void takeSecond(Locks locks, LockKey key) {
        locks.acquire(exclusive(key)).close();
    }

    private static Stream<String> tell(Participant each) {
        return Stream.of(
                String.format(Locale.ROOT, "%-6s holds     %s", each.owner(), each.holds()),
                String.format(Locale.ROOT, "%-6s waits for %s  %s", "", each.waitsFor(), place(each.callSite())));
    }

    // ---- 5

    void lostLease() {
        screen.scene(
                "A holder that is too slow learns that its lease is lost, and can't do harm later",
                "A term of 400 ms isn't renewed. Tokens rise with every grant, so what is written to can refuse an old one.");
        FencedFile file = new FencedFile();
        try (Locks locks = options().build()) {
            Lease slow =
                    locks.acquire(exclusive(A1).forTerm(Duration.ofMillis(400)).as("slow-job"));
            screen.line("slow-job", "has the lock under token " + slow.token() + " and pauses");
            CompletionStage<Void> noticed = slow.lost().thenAccept(loss -> screen.line("slow-job", "notices: " + loss));
            Thread next = Backstage.start("next-job", () -> write(locks, file));
            Backstage.join(next);
            noticed.toCompletableFuture().join();
            screen.line(
                    "slow-job",
                    "wakes up, held: " + slow.isHeld() + ", and writes all the same: "
                            + verdict(file.write("old", slow.token())));
            slow.close();
        }
    }

    private void write(Locks locks, FencedFile file) {
        locks.run(exclusive(A1), lease -> {
            boolean written = file.write("new", lease.token());
            screen.line("next-job", "has the lock under token " + lease.token() + " and writes: " + verdict(written));
        });
    }

    private static String verdict(boolean written) {
        return written ? "written" : "refused";
    }

    // ---- 6

    void whoHoldsWhat() {
        screen.scene(
                "A snapshot shows who holds what and who waits for whom",
                "A snapshot names owners, keys, modes and places: IX is an intent, X is exclusive.");
        try (Locks locks = options().build()) {
            Lease payment = locks.acquire(exclusive(R1).as("payment"));
            Thread closing = Backstage.start("close-account", () -> hold(locks, A1));
            Backstage.awaitWaiter(locks, "close-account");
            show(locks.snapshot());
            pause(200);
            screen.line("payment", "releases");
            payment.close();
            Backstage.join(closing);
            LockSnapshot after = locks.snapshot();
            screen.line(
                    "at the end",
                    after.holders().size() + " held, " + after.waiters().size() + " waiting");
        }
    }

    private void show(LockSnapshot now) {
        now.holders().stream()
                .sorted((one, other) -> one.key().compareTo(other.key()))
                .forEach(held -> screen.line(
                        held.owner(),
                        String.format(
                                Locale.ROOT,
                                "holds     %-2s %-34s %s",
                                held.mode().symbol(),
                                held.key(),
                                place(held.callSite()))));
        now.waiters()
                .forEach(waiting -> screen.line(
                        waiting.owner(),
                        String.format(
                                Locale.ROOT,
                                "waits for %-2s %-34s behind %s",
                                waiting.mode().symbol(),
                                waiting.key(),
                                waiting.blockedBy().get(0).owner())));
    }
}
