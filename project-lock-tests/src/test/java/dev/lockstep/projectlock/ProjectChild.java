package dev.lockstep.projectlock;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.lockstep.projectlock.ProjectLockEvent.Expired;
import dev.lockstep.testkit.EventProbe;
import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOP_FallbackServiceProvider;

/** One holder that is told what to do in lines of text: in another process, or from another class loader. */
final class ProjectChild implements Function<String, String> {
    private static final AcquireOptions ONCE = AcquireOptions.defaults().within(Duration.ZERO);

    private final ShiftedClock clock = new ShiftedClock();
    private final EventProbe events = new EventProbe();
    private volatile Steps steps = Steps.GO_ON;
    private @Nullable ProjectLock lock;
    private @Nullable ProjectLease lease;

    ProjectChild() {}

    public static void main(String[] args) throws IOException {
        System.setProperty("slf4j.internal.verbosity", "WARN");
        System.setProperty("slf4j.provider", NOP_FallbackServiceProvider.class.getName()); // half of the time to start
        ChildJvm.obey(new ProjectChild()::answer);
    }

    /** The order to open a project. */
    static String open(Way way, Path project, Duration term) {
        return "open " + way + " " + project + " " + term.toMillis();
    }

    @Override
    public String apply(String line) {
        try {
            return answer(line.split(" "));
        } catch (IOException e) {
            return e.toString();
        }
    }

    private String answer(String[] words) throws IOException {
        try {
            return switch (words[0]) {
                case "no-log" -> noLog();
                case "open" -> open(Way.valueOf(words[1]), Path.of(words[2]), Long.parseLong(words[3]));
                case "stall" -> steps(ChildSteps.stalling());
                case "die" -> steps(ChildSteps.dyingBefore(Integer.parseInt(words[1])));
                case "wait-before" -> steps(ChildSteps.waitingBefore(words[1].replace('_', ' ')));
                case "go-on" -> steps(Steps.GO_ON);
                case "advance" -> advance(Duration.ofMillis(Long.parseLong(words[1])));
                case "try" -> acquire(ONCE);
                case "try-at" -> acquireAt(Long.parseLong(words[1]));
                case "acquire" -> acquire(AcquireOptions.defaults().within(Duration.ofSeconds(60)));
                case "renew" -> renew();
                case "release" -> release();
                case "cycle" -> acquire(ONCE) + " " + renew() + " " + release();
                case "is-held" -> Boolean.toString(lock().isHeld(lease()));
                case "await-expired" -> events.awaitProject(Expired.class).type();
                case "count" -> count(Integer.parseInt(words[1]), Path.of(words[2]));
                case "os-lock" -> osLock(Path.of(words[1]));
                case "open-and-close" -> openAndClose(Path.of(words[1]));
                case "close" -> close();
                default -> "unknown command " + words[0];
            };
        } catch (ProjectLockException e) {
            return e.failure().text();
        }
    }

    /** For a class loader of its own: refusals are expected here, hundreds of them. */
    private static String noLog() {
        Logger log = (Logger) LoggerFactory.getLogger("dev.lockstep.projectlock");
        log.setLevel(Level.OFF);
        return "ok";
    }

    private String open(Way way, Path project, long termMillis) {
        close();
        lock = way.at(project)
                .term(Duration.ofMillis(termMillis))
                .clock(clock)
                .steps(step -> steps.before(step))
                .open();
        lock.subscribe(events);
        return "open";
    }

    private String steps(Steps now) {
        steps = now;
        return "ok";
    }

    private String advance(Duration time) {
        clock.advance(time);
        return "ok";
    }

    private String acquire(AcquireOptions options) {
        ProjectLease taken = lock().acquire(options).lease();
        lease = taken;
        return "held " + taken.token().value();
    }

    /** Begins at the same moment as others: the monotonic clock is one for all processes of a machine. */
    private String acquireAt(long nanos) {
        while (nanos - System.nanoTime() > 0) {
            LockSupport.parkNanos(nanos - System.nanoTime());
        }
        return acquire(ONCE);
    }

    private String renew() {
        lease = lock().renew(lease());
        return "renewed";
    }

    private String release() {
        lock().release(lease());
        return "released";
    }

    private String count(int times, Path directory) throws IOException {
        try (CountedWork work = CountedWork.in(directory)) {
            work.repeat(lock(), times);
        }
        return "counted";
    }

    /** Tries the operating system's lock itself. */
    private static String osLock(Path project) throws IOException {
        try (FileChannel channel = osLockFile(project);
                FileLock lock = channel.tryLock()) {
            return lock == null ? "taken" : "free";
        }
    }

    /** What is enough to give away a lock that this process has. */
    private static String openAndClose(Path project) throws IOException {
        osLockFile(project).close();
        return "ok";
    }

    private static FileChannel osLockFile(Path project) throws IOException {
        return FileChannel.open(project.resolve(".lock.os"), StandardOpenOption.WRITE);
    }

    private String close() {
        if (lock != null) {
            lock.close();
        }
        return "closed";
    }

    private ProjectLock lock() {
        if (lock == null) {
            throw new IllegalStateException("no project is open");
        }
        return lock;
    }

    private ProjectLease lease() {
        if (lease == null) {
            throw new IllegalStateException("nothing was acquired");
        }
        return lease;
    }
}
