package dev.lockstep.cli.locks;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.CallSite;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.WaitingLock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A look as {@code --json} prints it. */
public record LookJson(String at, List<Held> held, List<Waiting> waiting) {
    /** A lock that is held. */
    public record Held(
            String key,
            String mode,
            String owner,
            String leaseId,
            String since,
            @Nullable String expiresAt,
            @Nullable String callSite) {}

    /** A request that waits. */
    public record Waiting(
            String key,
            String mode,
            String owner,
            String leaseId,
            String since,
            @Nullable String callSite,
            List<Behind> behind) {}

    /** Who is in the way of a request. */
    public record Behind(String owner, String leaseId, String mode, String since, boolean waiting) {}

    /** The same as text and numbers. */
    public static LookJson of(Look look) {
        return new LookJson(
                text(look.at()),
                look.held().stream().map(LookJson::held).toList(),
                look.waiting().stream().map(LookJson::waiting).toList());
    }

    private static Held held(HeldLock lock) {
        return new Held(
                lock.key().toString(),
                lock.mode().symbol(),
                lock.owner(),
                lock.leaseId().toString(),
                text(lock.since()),
                lock.expiresAt().map(LookJson::text).orElse(null),
                text(lock.callSite()));
    }

    private static Waiting waiting(WaitingLock lock) {
        return new Waiting(
                lock.key().toString(),
                lock.mode().symbol(),
                lock.owner(),
                lock.leaseId().toString(),
                text(lock.since()),
                text(lock.callSite()),
                lock.blockedBy().stream().map(LookJson::behind).toList());
    }

    private static Behind behind(Blocker blocker) {
        return new Behind(
                blocker.owner(),
                blocker.leaseId().toString(),
                blocker.mode().symbol(),
                text(blocker.since()),
                blocker.waiting());
    }

    private static String text(Instant instant) {
        return instant.toString();
    }

    private static @Nullable String text(Optional<CallSite> site) {
        return site.map(CallSite::toString).orElse(null);
    }
}
