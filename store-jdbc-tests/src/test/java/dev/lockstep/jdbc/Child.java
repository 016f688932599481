package dev.lockstep.jdbc;

import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.testkit.CrossingWork;
import dev.lockstep.testkit.ExclusionChecker;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** What another JVM does, with locks of its own on the same database: hold, loss, release, cross, close. */
final class Child {
    private final Locks locks;
    private @Nullable Lease lease;
    private @Nullable Leadership leadership;

    private Child(Locks locks) {
        this.locks = locks;
    }

    static ChildJvm on(LockDatabase database, Duration term) throws IOException {
        return ChildJvm.start(
                Child.class,
                database.server().name(),
                database.database().jdbcUrl(),
                database.database().user(),
                database.database().password(),
                term.toString());
    }

    /** To take sets that cross those of others. */
    static String crossing(Path directory, int threads, int acquisitions, long seed) {
        return "cross " + directory + " " + threads + " " + acquisitions + " " + seed;
    }

    public static void main(String[] args) throws IOException {
        DriverManagerDataSource dataSource = new DriverManagerDataSource(args[1], args[2], args[3]);
        try (Locks locks = Locks.builder(Server.valueOf(args[0]).store(dataSource, 16))
                .defaultTerm(Duration.parse(args[4]))
                .defaultWait(Duration.ofSeconds(60))
                .build()) {
            ChildJvm.obey(new Child(locks)::answer);
        }
    }

    private String answer(String[] words) throws Exception {
        return switch (words[0]) {
            case "hold" -> hold(LockRequest.exclusive(Tenancy.user(words[1])));
            case "loss" ->
                held().lost()
                        .toCompletableFuture()
                        .get(60, TimeUnit.SECONDS)
                        .reason()
                        .name();
            case "release" -> held().release().name();
            case "cross" -> cross(words);
            case "close" -> close();
            case "lead" -> lead(Tenancy.user(words[1]));
            case "leading" -> Boolean.toString(leadership != null && leadership.isLeader());
            case "permit" -> permit(Tenancy.user(words[1]), Integer.parseInt(words[2]));
            default -> "unknown command " + words[0];
        };
    }

    private String hold(LockRequest request) {
        lease = locks.acquire(request);
        return "held";
    }

    private String lead(LockKey key) {
        CompletableFuture<Long> token = new CompletableFuture<>();
        leadership = locks.leadership(key)
                .as("child")
                .whenElected(term -> token.complete(term.token().value()))
                .start();
        return Long.toString(token.join());
    }

    private String permit(LockKey key, int count) {
        lease = locks.permits(key, count).acquire();
        return "held";
    }

    private Lease held() {
        if (lease == null) {
            throw new IllegalStateException("nothing is held");
        }
        return lease;
    }

    private String close() {
        locks.close();
        return "closed";
    }

    private String cross(String[] words) throws Exception {
        try (ExclusionChecker checker = ExclusionChecker.in(Path.of(words[1]))) {
            int threads = Integer.parseInt(words[2]);
            int acquisitions = Integer.parseInt(words[3]);
            CrossingWork.on(locks, checker).run(threads, acquisitions, Long.parseLong(words[4]));
            return "crossed";
        }
    }
}
