package dev.lockstep.chaos;

import dev.lockstep.core.Locks;
import dev.lockstep.core.spi.StoreWithClock;
import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A JVM that works under locks of its own. It obeys: begin, step MILLIS, end. */
final class ChaosProcess {
    private static final int THREADS = 3;

    private final Workload workload;
    private final SteppedClock clock;
    private final History history;
    private final long seed;

    private ChaosProcess(Workload workload, SteppedClock clock, History history, long seed) {
        this.workload = workload;
        this.clock = clock;
        this.history = history;
        this.seed = seed;
    }

    /** Starts one; what it sees goes into a file of this name in the directory. */
    static ChildJvm start(Setup setup, Path directory, String name, long seed, String register, List<String> urls)
            throws IOException {
        return ChildJvm.start(
                ChaosProcess.class,
                setup.name(),
                directory.toString(),
                name,
                Long.toString(seed),
                register,
                String.join(" ", urls));
    }

    public static void main(String[] args) throws IOException {
        Setup setup = Setup.valueOf(args[0]);
        try (History history = History.in(Path.of(args[1]), args[2])) {
            run(setup, args, history, new SteppedClock(history));
        }
    }

    @SuppressWarnings("try") // the pulse only beats
    private static void run(Setup setup, String[] args, History history, SteppedClock clock) throws IOException {
        try (StallDetector pulse = StallDetector.start(history);
                Locks locks = Locks.builder(new StoreWithClock(setup.store(List.of(args[5].split(" "))), clock))
                        .defaultTerm(Setup.TERM)
                        .build()) {
            Workload workload =
                    new Workload(locks, clock, () -> GuardedRegister.at(args[4], "postgres"), history, Setup.TERM);
            ChildJvm.obey(new ChaosProcess(workload, clock, history, Long.parseLong(args[3]))::answer);
        }
    }

    private String answer(String[] words) throws InterruptedException {
        return switch (words[0]) {
            case "begin" -> begin();
            case "step" -> step(Long.parseLong(words[1]));
            case "end" -> workload.end(Caller.PATIENCE) ? ended() : "stuck";
            default -> "unknown command " + words[0];
        };
    }

    private String begin() {
        workload.begin(THREADS, seed);
        return "begun";
    }

    private String step(long millis) {
        long from = System.nanoTime();
        clock.step(millis);
        history.now("step", "millis", millis, "from", from);
        return "stepped";
    }

    private String ended() {
        history.now("end");
        return "ended";
    }
}
