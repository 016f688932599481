package dev.lockstep.redis;

import dev.lockstep.core.Granted;
import dev.lockstep.core.Lease;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.core.Locks;
import dev.lockstep.core.leadership.Leadership;
import dev.lockstep.testkit.Tenancy;
import dev.lockstep.testservers.ChildJvm;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What another JVM does, with locks of its own in the same {@link Realm}: hold, try, token, loss, release, close. */
final class RedisChild {
    private final Locks locks;
    private @Nullable Lease lease;
    private @Nullable Leadership leadership;

    private RedisChild(Locks locks) {
        this.locks = locks;
    }

    public static void main(String[] args) throws IOException {
        Realm realm = new Realm(args[0], args[1], Duration.parse(args[2]), Duration.parse(args[3]));
        try (Locks locks = realm.locks()) {
            ChildJvm.obey(new RedisChild(locks)::answer);
        }
    }

    private String answer(String[] words) throws Exception {
        return switch (words[0]) {
            case "hold" -> hold(LockRequest.exclusive(Tenancy.user(words[1])));
            case "try" -> attempt(LockRequest.exclusive(Tenancy.user(words[1])));
            case "token" -> Long.toString(held().token().value());
            case "loss" ->
                held().lost()
                        .toCompletableFuture()
                        .get(60, TimeUnit.SECONDS)
                        .reason()
                        .name();
            case "release" -> held().release().name();
            case "close" -> close();
            case "lead" -> lead(Tenancy.user(words[1]));
            case "leading" -> Boolean.toString(leadership != null && leadership.isLeader());
            case "once" -> Boolean.toString(locks.once(Tenancy.user(words[1]), Duration.parse(words[2]), lease -> {}));
            case "permit" -> permit(Tenancy.user(words[1]), Integer.parseInt(words[2]));
            default -> "unknown command " + words[0];
        };
    }

    private String hold(LockRequest request) {
        lease = locks.acquire(request);
        return "held";
    }

    private String attempt(LockRequest request) {
        if (locks.tryAcquire(request) instanceof Granted granted) {
            lease = granted.lease();
            return "held";
        }
        return "busy";
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
}
