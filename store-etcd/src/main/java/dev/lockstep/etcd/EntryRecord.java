package dev.lockstep.etcd;

import com.google.protobuf.ByteString;
import dev.lockstep.core.CallSite;
import dev.lockstep.core.spi.LockPlan;
import dev.lockstep.core.spi.StoreRequest;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The value of an entry: for people, and for finding cycles of waits.
 *
 * @param since when the entry was written, by the clock of its process
 * @param outer the leases that the same holder had when it asked
 * @param locks how many locks of the lease are not intents
 */
record EntryRecord(Instant since, String owner, Optional<CallSite> callSite, Set<UUID> outer, int locks) {
    private static final int LONGEST_OWNER = 200;
    private static final int LINES = 5;

    static ByteString text(StoreRequest request, long nowMillis) {
        String outer = request.outer().isEmpty()
                ? ""
                : request.outer().stream()
                        .filter(EtcdGrant.class::isInstance)
                        .map(grant -> ((EtcdGrant) grant).leaseId().toString())
                        .collect(Collectors.joining(" "));
        return ByteString.copyFromUtf8(String.join(
                "\n",
                Long.toString(nowMillis),
                OneLine.of(request.owner(), LONGEST_OWNER),
                CallSiteLine.text(request.callSite()),
                outer,
                Integer.toString(countLocks(request.plan()))));
    }

    private static int countLocks(LockPlan plan) {
        int count = 0;
        for (int i = 0; i < plan.size(); i++) {
            count += plan.mode(i).isIntent() ? 0 : 1;
        }
        return count;
    }

    /** A value that another program wrote is shown as one without an owner. */
    static EntryRecord read(ByteString value) {
        String[] lines = value.toStringUtf8().split("\n", -1);
        if (lines.length != LINES || !lines[0].matches("\\d{1,17}") || !lines[4].matches("\\d{1,6}")) {
            return new EntryRecord(Instant.EPOCH, "unknown", Optional.empty(), Set.of(), 1);
        }
        return new EntryRecord(
                Instant.EPOCH.plus(Long.parseLong(lines[0]), ChronoUnit.MILLIS),
                lines[1],
                CallSiteLine.read(lines[2]),
                lines[3].isEmpty()
                        ? Set.of()
                        : Arrays.stream(lines[3].split(" "))
                                .map(UUID::fromString)
                                .collect(Collectors.toSet()),
                Integer.parseInt(lines[4]));
    }
}
