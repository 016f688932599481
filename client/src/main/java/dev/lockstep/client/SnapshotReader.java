package dev.lockstep.client;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.InvalidRequestException;
import dev.lockstep.core.KindDefinition;
import dev.lockstep.core.Kinds;
import dev.lockstep.core.LockKey;
import dev.lockstep.core.LockKind;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.NamedKind;
import dev.lockstep.core.WaitingLock;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Reads who holds and who waits. Keys of kinds that were not declared here are left out. */
final class SnapshotReader {
    private final Kinds kinds;
    private final ServerLeases leases;
    private final Collection<HttpAcquisition> waiting;

    SnapshotReader(List<KindDefinition> definitions, ServerLeases leases, Collection<HttpAcquisition> waiting) {
        this.leases = leases;
        this.waiting = waiting;
        Map<String, NamedKind> known = new HashMap<>();
        definitions.forEach(each -> known.put(each.prefix(), kind(each, known)));
        kinds = Kinds.of(known.values().toArray(LockKind[]::new));
    }

    /** Parents are declared before their children. */
    private static NamedKind kind(KindDefinition definition, Map<String, NamedKind> known) {
        Optional<LockKind> parent = definition.parent().map(known::get);
        return new NamedKind(definition.prefix(), definition.rank(), parent, definition.leaf());
    }

    LockSnapshot read(Reply reply) {
        return new LockSnapshot(
                reply.list("holders").stream()
                        .flatMap(each -> held(each).stream())
                        .toList(),
                reply.list("waiters").stream()
                        .flatMap(each -> waiting(each).stream())
                        .toList());
    }

    private Optional<HeldLock> held(Object each) {
        if (!(each instanceof Map<?, ?> lock)) {
            return Optional.empty();
        }
        OwnLease known = leases.find(Reply.text(lock, "leaseName"));
        return key(lock)
                .map(key -> new HeldLock(
                        key,
                        mode(lock),
                        Reply.text(lock, "owner"),
                        known.id(),
                        since(lock),
                        instant(lock, "expiresAt"),
                        known.callSite()));
    }

    private Optional<WaitingLock> waiting(Object each) {
        if (!(each instanceof Map<?, ?> lock)) {
            return Optional.empty();
        }
        Stream<?> blockers = lock.get("blockedBy") instanceof List<?> list ? list.stream() : Stream.empty();
        List<Blocker> blockedBy =
                blockers.flatMap(one -> blocker(one, leases).stream()).toList();
        return key(lock).map(key -> {
            OwnLease known =
                    own(Reply.text(lock, "owner"), key).orElseGet(() -> leases.find(Reply.text(lock, "leaseName")));
            return new WaitingLock(
                    key, mode(lock), Reply.text(lock, "owner"), known.id(), since(lock), blockedBy, known.callSite());
        });
    }

    /** The name of a lease is known when it is granted. Until then a request is recognized by its owner and its keys. */
    private Optional<OwnLease> own(String owner, LockKey key) {
        return waiting.stream()
                .filter(each -> each.waitsFor(owner, key))
                .findFirst()
                .map(HttpAcquisition::asLease);
    }

    static Optional<Blocker> blocker(Object each, ServerLeases leases) {
        return each instanceof Map<?, ?> blocker
                ? Optional.of(new Blocker(
                        Reply.text(blocker, "owner"),
                        leases.find(Reply.text(blocker, "leaseName")).id(),
                        mode(blocker),
                        since(blocker),
                        Boolean.TRUE.equals(blocker.get("waiting"))))
                : Optional.empty();
    }

    private Optional<LockKey> key(Map<?, ?> lock) {
        try {
            return Optional.of(kinds.parse(Reply.text(lock, "key")));
        } catch (InvalidRequestException e) {
            return Optional.empty();
        }
    }

    private static LockMode mode(Map<?, ?> lock) {
        String symbol = Reply.text(lock, "mode");
        return Stream.of(LockMode.values())
                .filter(mode -> mode.symbol().equals(symbol))
                .findFirst()
                .orElse(LockMode.EXCLUSIVE);
    }

    private static Instant since(Map<?, ?> lock) {
        return instant(lock, "since").orElse(Instant.EPOCH);
    }

    private static Optional<Instant> instant(Map<?, ?> lock, String field) {
        try {
            return Optional.of(Instant.parse(Reply.text(lock, field)));
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}
