package dev.lockstep.jdbc;

import dev.lockstep.core.Blocker;
import dev.lockstep.core.DeadlockReport;
import dev.lockstep.core.DeadlockReport.Participant;
import dev.lockstep.core.HeldLock;
import dev.lockstep.core.LockMode;
import dev.lockstep.core.LockSnapshot;
import dev.lockstep.core.PlannedLock;
import dev.lockstep.core.WaitingLock;
import dev.lockstep.core.spi.StoreRequest;
import dev.lockstep.jdbc.slots.AcquisitionAttempt;
import dev.lockstep.jdbc.slots.Queues;
import dev.lockstep.jdbc.slots.ServerLock;
import dev.lockstep.jdbc.slots.Slots;
import dev.lockstep.jdbc.sql.StatementTag;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Lists holders and waiters: those of this process from its own records, others from the tags of their statements. */
final class ServerLockInspector implements AutoCloseable {
    private final InspectionSession server;
    private final Slots slots;
    private final String namespace;
    private final Queues queues;
    private final Map<UUID, AcquisitionAttempt> attempts;
    private final Set<JdbcGrant> grants;

    ServerLockInspector(
            SessionPool pool,
            Slots slots,
            String namespace,
            Queues queues,
            Map<UUID, AcquisitionAttempt> attempts,
            Set<JdbcGrant> grants) {
        server = new InspectionSession(pool, namespace);
        this.slots = slots;
        this.namespace = namespace;
        this.queues = queues;
        this.attempts = attempts;
        this.grants = grants;
    }

    /** The advertisement of this process's kinds; it shares the inspection connection. */
    KindAdvertisement kindAdvertisement() {
        KindAdvertisement advertisement = new KindAdvertisement(server, namespace);
        server.listener(advertisement);
        return advertisement;
    }

    // ---- everything

    LockSnapshot snapshot() {
        List<List<StatementTag.Seen>> others = server.others(true);
        List<HeldLock> holders = new ArrayList<>();
        List<WaitingLock> waiters = new ArrayList<>();
        long now = System.nanoTime();
        for (JdbcGrant grant : grants) {
            if (!grant.isExpired(now)) {
                grant.request.plan().locks().forEach(lock -> holders.add(held(grant, lock, now)));
            }
        }
        waitersInQueues(waiters);
        for (AcquisitionAttempt attempt : attempts.values()) {
            ServerLock lock = attempt.waitsFor();
            if (lock != null) {
                waiters.add(waiting(attempt, lock, blockers(lock, others, null)));
            }
        }
        for (List<StatementTag.Seen> session : others) {
            for (StatementTag.Seen seen : session) {
                seen.locks().stream()
                        .filter(lock -> isHeld(seen, lock))
                        .forEach(lock -> holders.add(new HeldLock(
                                lock.key(),
                                lock.mode(),
                                seen.owner(),
                                seen.leaseId(),
                                seen.since(),
                                Optional.empty(), // it ends with the other process's session
                                seen.callSite())));
                seen.waitsFor().ifPresent(lock -> waiters.add(waiting(seen, lock, others)));
            }
        }
        return new LockSnapshot(holders, waiters);
    }

    private static HeldLock held(JdbcGrant grant, PlannedLock lock, long now) {
        return new HeldLock(
                lock.key(),
                lock.mode(),
                grant.request.owner(),
                grant.request.leaseId(),
                grant.since,
                Optional.of(grant.expiresAt(now)),
                grant.request.callSite());
    }

    private void waitersInQueues(List<WaitingLock> waiters) {
        for (WaitingLock queued : queues.waiters()) {
            AcquisitionAttempt attempt = attempts.get(queued.leaseId());
            if (attempt != null) {
                PlannedLock wanted = attempt.wantedAt(queued.key());
                waiters.add(new WaitingLock(
                        wanted.key(),
                        wanted.mode(),
                        queued.owner(),
                        queued.leaseId(),
                        queued.since(),
                        queued.blockedBy(),
                        queued.callSite()));
            }
        }
    }

    private static WaitingLock waiting(AcquisitionAttempt attempt, ServerLock lock, List<Blocker> blockers) {
        return new WaitingLock(
                lock.wanted().key(),
                lock.wanted().mode(),
                attempt.request.owner(),
                attempt.request.leaseId(),
                attempt.since(),
                blockers,
                attempt.request.callSite());
    }

    private WaitingLock waiting(StatementTag.Seen seen, PlannedLock lock, List<List<StatementTag.Seen>> others) {
        List<Blocker> blockers = blockers(slots.of(lock), others, null).stream()
                .filter(blocker -> !blocker.leaseId().equals(seen.leaseId()))
                .toList();
        return new WaitingLock(
                lock.key(), lock.mode(), seen.owner(), seen.leaseId(), seen.since(), blockers, seen.callSite());
    }

    /** A request that waits holds what comes before the lock it waits for. */
    private boolean isHeld(StatementTag.Seen seen, PlannedLock lock) {
        return seen.waitsFor().isEmpty()
                || slots.of(lock)
                                .row()
                                .compareTo(slots.of(seen.waitsFor().get()).row())
                        < 0;
    }

    // ---- blockers

    /** The holders of a lock that {@code own}, if given, waits for. */
    List<Blocker> blockers(ServerLock lock, @Nullable LockSession own) {
        return blockers(lock, server.others(false), own);
    }

    /** The same; {@code polls} accepts what another request found out a moment ago. */
    List<Blocker> blockers(ServerLock lock, @Nullable LockSession own, boolean polls) {
        List<Blocker> recent = polls ? blockers(lock, server.recentOthers(), own) : List.of();
        return recent.isEmpty() ? blockers(lock, own) : recent;
    }

    private List<Blocker> blockers(ServerLock lock, List<List<StatementTag.Seen>> others, @Nullable LockSession own) {
        Stream<Blocker> here = grants.stream()
                .filter(grant -> grant.session != own)
                .filter(grant -> grant.locks.stream().anyMatch(each -> each.conflictsWith(lock)))
                .map(grant -> new Blocker(
                        grant.request.owner(), grant.request.leaseId(), modeOf(grant.locks, lock), grant.since, false));
        Stream<Blocker> there = others.stream().flatMap(List::stream).flatMap(seen -> blocker(seen, lock).stream());
        return Stream.concat(here, there).toList();
    }

    private Optional<Blocker> blocker(StatementTag.Seen seen, ServerLock lock) {
        return seen.locks().stream()
                .filter(each -> isHeld(seen, each))
                .filter(each -> slots.of(each).conflictsWith(lock))
                .findFirst()
                .map(each -> new Blocker(seen.owner(), seen.leaseId(), each.mode(), seen.since(), false));
    }

    private static LockMode modeOf(List<ServerLock> locks, ServerLock lock) {
        return locks.stream()
                .filter(each -> each.row().equals(lock.row()))
                .findFirst()
                .map(each -> each.wanted().mode())
                .orElse(LockMode.EXCLUSIVE);
    }

    /** Whether the server still has this session, seen from another one; empty if that is unknown. */
    Optional<Boolean> isAlive(LockSession session) {
        return server.isAlive(session);
    }

    // ---- deadlocks

    /** The cycle that the server broke: this request, and those of the others that can be identified. */
    DeadlockReport report(
            StoreRequest request, Instant since, List<PlannedLock> held, ServerLock lock, SQLException error) {
        List<Participant> cycle = new ArrayList<>();
        cycle.add(new Participant(request.owner(), request.leaseId(), held, lock.wanted(), since, request.callSite()));
        for (String statement : server.lastDeadlock(error)) {
            participant(StatementTag.read(statement, namespace))
                    .filter(other -> !other.leaseId().equals(request.leaseId()))
                    .ifPresent(cycle::add);
        }
        return new DeadlockReport(cycle, request.leaseId());
    }

    /** What an attempt holds that waits for a lock in a session. */
    static List<PlannedLock> heldBy(AcquisitionAttempt attempt, LockSession session, ServerLock lock) {
        Stream<PlannedLock> outer = session.grants.stream().flatMap(grant -> grant.request.plan().locks().stream());
        Stream<PlannedLock> own = attempt.locks.stream()
                .takeWhile(each -> !each.row().equals(lock.row()))
                .map(ServerLock::wanted);
        return Stream.concat(outer, own).toList();
    }

    private Optional<Participant> participant(List<StatementTag.Seen> session) {
        return session.stream()
                .filter(seen -> seen.waitsFor().isPresent())
                .findFirst()
                .map(seen -> new Participant(
                        seen.owner(),
                        seen.leaseId(),
                        session.stream()
                                .flatMap(each -> each.locks().stream().filter(lock -> isHeld(each, lock)))
                                .collect(Collectors.toList()),
                        seen.waitsFor().orElseThrow(),
                        seen.since(),
                        seen.callSite()));
    }

    @Override
    public void close() {
        server.close();
    }
}
