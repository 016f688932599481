package dev.lockstep.server.demo;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** The simulated workers of the demo, and their tasks. Times are in milliseconds. */
final class DemoWorkload {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private DemoWorkload() {}

    /** The shifts by the names of those who work them. */
    static Map<String, WorkerTask> shifts() {
        Map<String, WorkerTask> shifts = new LinkedHashMap<>();
        shifts.put("nightly-report-tokyo", scene -> report("nightly-report-tokyo", scene));
        shifts.put("nightly-report-osaka", scene -> report("nightly-report-osaka", scene));
        shifts.put("nightly-report-seoul", scene -> report("nightly-report-seoul", scene));
        shifts.put("checkout-1", scene -> checkOut("checkout-1", scene));
        shifts.put("checkout-2", scene -> checkOut("checkout-2", scene));
        shifts.put("checkout-3", scene -> checkOut("checkout-3", scene));
        shifts.put("billing", DemoWorkload::bill);
        shifts.put("transfer", DemoWorkload::transfer);
        shifts.put("search-index", DemoWorkload::index);
        shifts.put("backup", DemoWorkload::backUp);
        shifts.put("status-page", DemoWorkload::glance);
        shifts.put("laptop-7", DemoWorkload::overstay);
        shifts.put("legacy-import", DemoWorkload::breakTheOrder);
        return shifts;
    }

    /** One of three does it and the others stand by; inside it users are read one after the other: a nested call. */
    private static void report(String name, DemoContext scene) throws InterruptedException {
        try (Lease job = scene.locks().acquire(asked(name, exclusive(scene.job("nightly-report"))))) {
            for (int user = 1; user <= 3 && job.isHeld(); user++) {
                try (Lease lease = scene.locks().acquire(asked(name, shared(scene.user(user))))) {
                    passUnder(lease, scene, 600, 1_400);
                }
                scene.pass(200, 600);
            }
        }
        scene.pass(50, 150);
    }

    private static void checkOut(String name, DemoContext scene) throws InterruptedException {
        try (Lease lease = scene.locks().acquire(asked(name, exclusive(scene.anyResource())))) {
            passUnder(lease, scene, 200, 900);
        }
        scene.pass(100, 500);
    }

    private static void bill(DemoContext scene) throws InterruptedException {
        try (Lease lease = scene.locks().acquire(asked("billing", exclusive(scene.anyAccount())))) {
            passUnder(lease, scene, 700, 1_800);
        }
        scene.pass(300, 900);
    }

    /** A set of keys in one call, named in any order. */
    private static void transfer(DemoContext scene) throws InterruptedException {
        LockKey from = scene.account(2, 1);
        LockKey to = scene.account(1, 2);
        try (Lease lease = scene.locks().acquire(asked("transfer", exclusive(from, to)))) {
            passUnder(lease, scene, 400, 1_000);
        }
        scene.pass(800, 2_000);
    }

    private static void index(DemoContext scene) throws InterruptedException {
        try (Lease lease = scene.locks().acquire(asked("search-index", shared(scene.anyAccount())))) {
            passUnder(lease, scene, 300, 700);
        }
        scene.pass(200, 600);
    }

    /** Something large is held for long now and then. */
    private static void backUp(DemoContext scene) throws InterruptedException {
        scene.pass(8_000, 16_000);
        try (Lease lease = scene.locks().acquire(asked("backup", exclusive(scene.user(4))))) {
            passUnder(lease, scene, 5_000, 8_000);
        }
    }

    /** Asks, and hardly waits. */
    private static void glance(DemoContext scene) throws InterruptedException {
        Attempt attempt = scene.locks()
                .tryAcquire(shared(scene.anyAccount())
                        .within(Duration.ofMillis(150))
                        .as("status-page"));
        if (attempt instanceof Granted granted) {
            try (Lease lease = granted.lease()) {
                passUnder(lease, scene, 50, 150);
            }
        }
        scene.pass(1_500, 3_000);
    }

    /** Works longer than the term that it asked for, so its lease is lost, and it learns that. */
    private static void overstay(DemoContext scene) throws InterruptedException {
        scene.pass(4_000, 12_000);
        LockRequest request =
                exclusive(scene.account(3, 1)).forTerm(Duration.ofMillis(1_500)).within(PATIENCE);
        try (Lease lease = scene.locks().acquire(request.as("laptop-7"))) {
            passUnder(lease, scene, 2_500, 3_500);
        }
    }

    /** Asks for a user while it has an account, which is against the order, and is refused before it can block another. */
    private static void breakTheOrder(DemoContext scene) throws InterruptedException {
        scene.pass(6_000, 20_000);
        try (Lease account = scene.locks().acquire(asked("legacy-import", exclusive(scene.account(3, 2))))) {
            passUnder(account, scene, 200, 500);
            scene.locks()
                    .acquire(asked("legacy-import", exclusive(scene.user(4))))
                    .close();
        }
    }

    private static LockRequest asked(String name, LockRequest request) {
        return request.within(PATIENCE).as(name);
    }

    /** The work that the lock is for: there is none, only its time. */
    private static void passUnder(Lease lease, DemoContext scene, int least, int most) throws InterruptedException {
        scene.pass(least, most);
        lease.isHeld();
    }
}
