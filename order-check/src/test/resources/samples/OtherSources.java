package samples;

import static dev.lockstep.core.LockRequest.exclusive;
import static samples.Game.CHARACTER;
import static samples.Game.EQUIPMENT;

import dev.lockstep.core.Lease;
import dev.lockstep.core.Locks;

/** Records, sealed types, nested and anonymous classes, switches, initializers. */
class OtherSources {
    record Service(Locks locks, String name) {
        Service {
            locks.run(exclusive(EQUIPMENT.key(name)), outer -> {});
        }

        void work(String a) {
            locks.run(exclusive(EQUIPMENT.key(a)), outer -> locks.run(exclusive(CHARACTER.key(a)), inner -> {})); // error: character (rank 1)
        }
    }

    void accessors(Service service, String a) {
        service.locks().run(exclusive(EQUIPMENT.key(a)), outer -> {
            service.locks().run(exclusive(CHARACTER.key(a)), inner -> {}); // error: character (rank 1)
        });
    }

    sealed interface Step permits One, Two {}

    record One(Locks locks) implements Step {
        static final Locks LOCKS = Locks.inMemory();

        static {
            LOCKS.run(exclusive(EQUIPMENT.key("a")), outer -> {
                LOCKS.run(exclusive(CHARACTER.key("a")), inner -> {}); // error: character (rank 1)
            });
        }
    }

    record Two(Locks locks) implements Step {}

    void switches(Locks locks, int n, String a) {
        try (Lease lease = locks.acquire(exclusive(EQUIPMENT.key(a)))) {
            String result =
                    switch (n) {
                        case 1 -> "one";
                        case 2 -> {
                            locks.run(exclusive(CHARACTER.key(a)), inner -> {}); // error: character (rank 1)
                            yield "two";
                        }
                        default -> "many";
                    };
            switch (result) {
                case "one":
                    locks.run(exclusive(CHARACTER.key(a)), inner -> {}); // error: character (rank 1)
                    break;
                default:
            }
        }
    }

    Runnable anonymous(Locks locks, String a) {
        return locks.call(
                exclusive(CHARACTER.key(a)),
                outer -> new Runnable() {
                    @Override
                    public void run() {
                        locks.run(exclusive(EQUIPMENT.key(a)), x -> locks.run(exclusive(CHARACTER.key(a)), y -> {})); // strict: only if the ids
                    }
                });
    }

    /** A lease that is kept in a field may cover what comes later. */
    static class Session {
        private final Locks locks;
        private Lease open;

        Session(Locks locks) {
            this.locks = locks;
        }

        void start(String a) {
            open = locks.acquire(exclusive(CHARACTER.key(a)));
        }

        void work(String a) {
            locks.run(exclusive(EQUIPMENT.key(a)), x -> locks.run(exclusive(CHARACTER.key(a)), y -> {})); // strict: only if the ids
        }

        void end() {
            open.close();
        }
    }

    void twoInstances(String a) {
        try (Locks one = Locks.inMemory();
                Locks two = Locks.inMemory()) {
            one.run(exclusive(EQUIPMENT.key(a)), outer -> {
                two.run(exclusive(CHARACTER.key(a)), inner -> {});
                one.run(exclusive(CHARACTER.key(a)), inner -> {}); // error: character (rank 1)
            });
        }
    }

    void reassigned(Locks locks, Locks others, String a) {
        Locks used = locks;
        used.run(exclusive(EQUIPMENT.key(a)), outer -> {});
        used = others;
        used.run(exclusive(EQUIPMENT.key(a)), outer -> {
            locks.run(exclusive(CHARACTER.key(a)), inner -> {});
        });
    }
}
