package samples;

import static dev.lockstep.core.LockRequest.exclusive;
import static dev.lockstep.core.LockRequest.shared;
import static samples.Game.ACCOUNT;
import static samples.Game.CHARACTER;
import static samples.Game.CUBE;
import static samples.Game.EQUIPMENT;
import static samples.Game.RESOURCE;
import static samples.Game.USER;

import dev.lockstep.core.Attempt;
import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;

class Scopes {
    private final Locks locks;
    private final Locks others;

    Scopes(Locks locks, Locks others) {
        this.locks = locks;
        this.others = others;
    }

    void tryWithResources(String a, String b) {
        try (Lease outer = locks.acquire(exclusive(EQUIPMENT.key(a)))) {
            locks.run(exclusive(CHARACTER.key(b)), inner -> {}); // error: character (rank 1) is acquired while equipment (rank 2) is held since line 34. Acquire both in one request: exclusive(a, b), or acquire character first.
        }
        locks.run(exclusive(CHARACTER.key(b)), inner -> {});
    }

    void inOrder(String a, String b) {
        try (Lease outer = locks.acquire(exclusive(CHARACTER.key(a)));
                Lease inner = locks.acquire(exclusive(EQUIPMENT.key(b)))) {
            locks.run(exclusive(CUBE.key(a)), innermost -> {});
        }
    }

    void againstTheOrderInOneTry(String a, String b) {
        try (Lease outer = locks.acquire(exclusive(CUBE.key(a)));
                Lease inner = locks.acquire(exclusive(EQUIPMENT.key(b)))) { // error: equipment (rank 2) is acquired while magic-cube (rank 3) is held
        }
    }

    void variable(String a, String b) {
        Lease outer = locks.acquire(exclusive(EQUIPMENT.key(a)));
        try (outer) {
            locks.run(exclusive(CHARACTER.key(b)), inner -> {}); // error: character (rank 1)
        }
        locks.run(exclusive(CHARACTER.key(b)), inner -> {});
    }

    void withFinally(String a, String b) {
        Lease outer = locks.acquire(exclusive(EQUIPMENT.key(a)).within(Duration.ofSeconds(2)).as("test"));
        try {
            locks.tryAcquire(exclusive(CHARACTER.key(b))); // error: character (rank 1)
        } finally {
            outer.release();
        }
        locks.run(exclusive(CHARACTER.key(b)), inner -> {});
    }

    void closedInABranch(String a, String b, boolean early) {
        Lease outer = locks.acquire(exclusive(EQUIPMENT.key(a)));
        if (early) {
            outer.close();
        }
        locks.run(exclusive(CHARACTER.key(b)), inner -> {});
        outer.close();
    }

    void closedWhereItEnds(String a, String b, boolean early) {
        Lease outer = locks.acquire(exclusive(EQUIPMENT.key(a)));
        if (early) {
            outer.close();
            return;
        }
        locks.run(exclusive(CHARACTER.key(b)), inner -> {}); // error: character (rank 1)
        outer.close();
    }

    void lambdas(String a, String b) {
        locks.run(exclusive(EQUIPMENT.key(a)), outer -> {
            String called = locks.call(exclusive(CHARACTER.key(b)), inner -> "x"); // error: character (rank 1)
            others.run(exclusive(CHARACTER.key(b)), inner -> {});
        });
    }

    void granted(String a, String b) {
        Attempt attempt = locks.tryAcquire(exclusive(EQUIPMENT.key(a)));
        if (attempt instanceof Granted granted) {
            try (Lease outer = granted.lease()) {
                locks.run(exclusive(CHARACTER.key(b)), inner -> {}); // error: character (rank 1)
            }
        }
        locks.run(exclusive(CHARACTER.key(b)), inner -> {});
    }

    void async(String a, String b) {
        locks.run(exclusive(EQUIPMENT.key(a)), outer -> {
            locks.acquireAsync(exclusive(CHARACTER.key(b))).thenAccept(Lease::close);
            outer.acquireAsync(exclusive(CHARACTER.key(b))).thenAccept(Lease::close); // error: character (rank 1)
        });
    }

    void bound(String a, String b, Executor workers) {
        locks.run(exclusive(EQUIPMENT.key(a)), outer -> {
            workers.execute(outer.bind(() -> {
                locks.run(exclusive(CUBE.key(b)), inner -> {});
                locks.run(exclusive(CHARACTER.key(b)), inner -> {}); // error: character (rank 1)
            }));
            workers.execute(() -> locks.run(exclusive(CHARACTER.key(b)), inner -> {}));
        });
    }

    void children(String a, String b) {
        try (Lease outer = locks.acquire(exclusive(CHARACTER.key(a)))) {
            try (Lease child = outer.acquire(exclusive(CUBE.key(b)))) {
                locks.run(exclusive(EQUIPMENT.key(b)), other -> {}); // the child's lock belongs to another holder
                child.acquire(exclusive(EQUIPMENT.key(b))).close(); // error: equipment (rank 2) is acquired while magic-cube (rank 3)
            }
        }
    }

    void atOnce(String a, List<String> names, Optional<String> name) {
        locks.run(exclusive(EQUIPMENT.key(a)), outer -> {
            names.forEach(b -> locks.run(exclusive(CHARACTER.key(b)), inner -> {})); // error: character (rank 1)
            name.ifPresent(b -> locks.run(exclusive(CHARACTER.key(b)), inner -> {})); // error: character (rank 1)
            names.stream().forEach(b -> locks.run(exclusive(CHARACTER.key(b)), inner -> {})); // error: character (rank 1)
            names.parallelStream().forEach(b -> locks.run(exclusive(CHARACTER.key(b)), inner -> {}));
        });
    }

    void sameThing(String a, String b) {
        locks.run(exclusive(CHARACTER.key(a)), outer -> {
            locks.run(exclusive(CHARACTER.key(a)), inner -> {});
            locks.run(shared(CHARACTER.key(a)), inner -> {});
            locks.run(exclusive(CHARACTER.key(b)), inner -> {}); // strict: only if the ids make the held lock cover it
            locks.run(exclusive(EQUIPMENT.key(a)), equipment -> locks.run(exclusive(CHARACTER.key(a)), inner -> {}));
        });
        locks.run(exclusive(CHARACTER.key("x")), outer -> {
            locks.run(exclusive(CHARACTER.key("y")), inner -> {}); // error: Acquire both in one request: exclusive(a, b).
        });
    }

    void upgrade(LockKey key, LockRequest request, String a, String b) {
        locks.run(shared(key), outer -> {
            locks.run(exclusive(key), inner -> {}); // error: The key is requested exclusively while the same key is held shared since line 155
            locks.run(shared(key), inner -> {});
        });
        locks.run(shared(CHARACTER.key(a)), outer -> {
            locks.run(exclusive(CHARACTER.key(a)), inner -> {}); // error: character (rank 1) is requested exclusively while the same one is held shared
            locks.run(exclusive(CHARACTER.key(b)), inner -> {}); // error: character (rank 1)
        });
        locks.run(request, outer -> locks.run(exclusive(CHARACTER.key(a)), inner -> {}));
    }

    void tree(String u, String a, String r) {
        LockKey user = USER.key(u);
        LockKey account = user.child(ACCOUNT, a);
        locks.run(exclusive(account), outer -> {
            locks.run(exclusive(account.child(RESOURCE, r)), inner -> {});
            locks.run(shared(user.child(ACCOUNT, "other")), inner -> {}); // strict: account (rank 11)
            locks.run(shared(user), inner -> {}); // error: user (rank 10) is requested shared while the same one is held as a parent
            locks.run(exclusive(USER.key(r)), inner -> {}); // error: user (rank 10) is acquired while account (rank 11)
        });
        locks.run(exclusive(user), outer -> locks.run(exclusive(account), inner -> {}));
        locks.run(exclusive(EQUIPMENT.key(u)), outer -> locks.run(exclusive(account), inner -> {}));
    }

    void parentsCount(String u, String a) {
        LockKey account = USER.key(u).child(ACCOUNT, a);
        locks.run(exclusive(account.child(RESOURCE, "r")), outer -> {
            locks.run(exclusive(USER.key("z").child(ACCOUNT, "z").child(RESOURCE, "z")), inner -> {}); // error: resource (rank 20) is acquired while resource (rank 20)
        });
    }

    void unknownKeys(List<LockKey> keys, LockKey key, Lease lease, String a) {
        locks.run(exclusive(keys), outer -> locks.run(exclusive(CHARACTER.key(a)), inner -> {}));
        locks.run(exclusive(EQUIPMENT.key(a)), outer -> locks.run(exclusive(key), inner -> {}));
        locks.run(exclusive(EQUIPMENT.key(a)), outer -> locks.run(exclusive(CHARACTER.key(a)), inner -> {})); // strict: only if the ids
    }

    void neverClosed(String a) {
        locks.acquire(exclusive(CHARACTER.key(a))); // error: The lease on character (rank 1) is never closed
        Lease lease = locks.acquire(exclusive(CHARACTER.key(a))); // error: The lease on character (rank 1) is never closed
        lease.ensureHeld();
        locks.acquire(exclusive(EQUIPMENT.key(a)).forTerm(Duration.ofSeconds(5)));
    }

    @SuppressWarnings("lockstep:order")
    void silenced(String a) {
        locks.run(exclusive(EQUIPMENT.key(a)), outer -> locks.run(exclusive(CHARACTER.key(a)), inner -> {}));
        locks.acquire(exclusive(CHARACTER.key(a)));
    }

    void silencedVariable(String a) {
        locks.run(exclusive(EQUIPMENT.key(a)), outer -> {
            @SuppressWarnings({"unused", "lockstep:order"})
            String called = locks.call(exclusive(CHARACTER.key(a)), inner -> "x");
        });
    }

    /** Leases that outlive their statement may cover what comes later. */
    static class Kept {
        private final Locks locks;

        Kept(Locks locks) {
            this.locks = locks;
        }

        Lease handedOn(String a, List<Lease> all) {
            Lease lease = locks.acquire(exclusive(CHARACTER.key(a)));
            all.add(lease);
            all.add(locks.acquire(exclusive(EQUIPMENT.key(a))));
            return locks.acquire(exclusive(CUBE.key(a)));
        }

        void loops(List<String> names) {
            List<Lease> leases = new ArrayList<>();
            for (String name : names) {
                leases.add(locks.acquire(exclusive(CHARACTER.key(name))));
            }
            leases.forEach(Lease::close);
        }

        void covered(String a) {
            locks.run(exclusive(EQUIPMENT.key(a)), outer -> locks.run(exclusive(CHARACTER.key(a)), inner -> {})); // strict: only if the ids
        }
    }
}
