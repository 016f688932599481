package dev.lockstep.server.locks;

import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockRequest;
import dev.lockstep.server.ServerProperties;
import dev.lockstep.server.http.Problem;
import dev.lockstep.server.locks.keys.KeyReader;
import dev.lockstep.server.locks.keys.Shown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Checks what clients ask for against the limits, and says which field is wrong, its value, and what is allowed. */
@Component
final class AskReader {
    private static final String EXCLUSIVE = "exclusive";
    private static final String SHARED = "shared";
    private static final long USUAL_WAIT_MS = 5_000;
    private static final long USUAL_LEASE_MS = 15_000;
    private static final long SHORTEST_LEASE_MS = 100;
    private static final int LONGEST_OWNER = 200;
    private static final int LONGEST_REQUEST_ID = 100;

    private final ServerProperties.Limits limits;
    private final KeyReader keys;

    AskReader(ServerProperties properties, KeyReader keys) {
        limits = properties.limits();
        this.keys = keys;
    }

    Ask read(AcquireRequest body, String address, String client) {
        long waitMs = between("waitMs", body.waitMs(), USUAL_WAIT_MS, 0, limits.longestWait());
        long leaseMs = between("leaseMs", body.leaseMs(), USUAL_LEASE_MS, SHORTEST_LEASE_MS, limits.longestLease());
        String mode = mode(body.mode());
        String owner = owner(body.owner(), address);
        List<LockKey> named = keys(body.keys());
        LockRequest request = (mode.equals(SHARED) ? LockRequest.shared(named) : LockRequest.exclusive(named))
                .forTerm(Duration.ofMillis(leaseMs))
                .as(owner);
        return new Ask(
                waitMs == 0 ? request.withoutWaiting() : request.within(Duration.ofMillis(waitMs)),
                mode,
                requestId(body.requestId()),
                client);
    }

    Duration extension(RenewRequest body) {
        if (body.extendByMs() == null) {
            throw Problem.invalid("extendByMs", "extendByMs is missing. Say for how many milliseconds from now on.");
        }
        return Duration.ofMillis(between("extendByMs", body.extendByMs(), 0, SHORTEST_LEASE_MS, limits.longestLease()));
    }

    private static long between(String field, @Nullable Long value, long usual, long least, Duration most) {
        long chosen = value == null ? Math.min(usual, most.toMillis()) : value;
        if (chosen < least || chosen > most.toMillis()) {
            throw Problem.invalid(
                    field, field + " is " + chosen + ". Give " + least + " to " + most.toMillis() + " milliseconds.");
        }
        return chosen;
    }

    private static String mode(@Nullable String mode) {
        String chosen = mode == null ? EXCLUSIVE : mode;
        if (!chosen.equals(EXCLUSIVE) && !chosen.equals(SHARED)) {
            throw Problem.invalid("mode", "mode is '" + Shown.of(chosen) + "'. Write exclusive or shared.");
        }
        return chosen;
    }

    private static String owner(@Nullable String owner, String client) {
        if (owner == null) {
            return client;
        }
        if (owner.isBlank() || owner.length() > LONGEST_OWNER || Shown.hasControl(owner)) {
            throw Problem.invalid(
                    "owner",
                    "owner has " + owner.length() + " characters: '" + Shown.of(owner) + "'. Give 1 to " + LONGEST_OWNER
                            + " that people can read, without control characters, or leave it out.");
        }
        return owner;
    }

    private static @Nullable String requestId(@Nullable String id) {
        if (id != null && (id.isEmpty() || id.length() > LONGEST_REQUEST_ID || Shown.hasControl(id))) {
            throw Problem.invalid(
                    "requestId",
                    "requestId has " + id.length() + " characters: '" + Shown.of(id) + "'. Give 1 to "
                            + LONGEST_REQUEST_ID
                            + " without control characters, such as a random UUID, or leave it out.");
        }
        return id;
    }

    private List<LockKey> keys(@Nullable List<@Nullable String> texts) {
        if (texts == null || texts.isEmpty()) {
            throw Problem.invalid("keys", "keys is empty. Name at least one, such as \"user:u1/account:a1\".");
        }
        if (texts.size() > limits.keys()) {
            throw Problem.invalid(
                    "keys",
                    "keys names " + texts.size() + " keys, and " + limits.keys()
                            + " are allowed. Lock their common parent, or raise lockstep.server.limits.keys.");
        }
        List<LockKey> read = new ArrayList<>(texts.size());
        for (int i = 0; i < texts.size(); i++) {
            read.add(keys.read("keys[" + i + "]", texts.get(i)));
        }
        return read;
    }
}
