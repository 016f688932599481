package dev.lockstep.redis;

import dev.lockstep.core.CallSite;
import dev.lockstep.core.LockMode;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the server keeps of one lease, or of a part of it; {@code locks.lua} says what its lines are.
 *
 * @param id the lease's, which its slices share
 * @param at which of the locks it waits for, counted from 1, while it holds those before it; 0 when it holds all
 * @param number its token or, while it waits, its place in the queue
 * @param outer the ids of the leases it is nested in
 */
record StoredLease(
        UUID id,
        int at,
        long expiryMicros,
        long number,
        Instant since,
        String process,
        String owner,
        Optional<CallSite> callSite,
        List<String> outer,
        List<String> keys,
        List<LockMode> modes) {
    private static final Map<String, LockMode> MODES =
            Stream.of(LockMode.values()).collect(Collectors.toMap(LockMode::symbol, Function.identity()));
    private static final int FIRST_LOCK = 10;

    static StoredLease read(String id, String text) {
        String[] lines = text.split("\n", -1);
        List<String> keys = new ArrayList<>();
        List<LockMode> modes = new ArrayList<>();
        for (int i = FIRST_LOCK; i + 1 < lines.length; i += 2) {
            modes.add(mode(lines[i]));
            keys.add(lines[i + 1]);
        }
        return new StoredLease(
                Slice.leaseIdOf(id),
                Integer.parseInt(lines[0]),
                Long.parseLong(lines[1]),
                Long.parseLong(lines[2]),
                instant(lines[3]),
                lines[4],
                lines[7],
                CallSiteText.read(lines[8]),
                List.of(lines[9].split(" ", -1)),
                keys,
                modes);
    }

    static LockMode mode(String symbol) {
        LockMode mode = MODES.get(symbol);
        if (mode == null) {
            throw new IllegalArgumentException("'" + symbol + "' is no mode");
        }
        return mode;
    }

    static Instant instant(String micros) {
        return instant(Long.parseLong(micros));
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** When it ends unless it is renewed; empty while it waits. */
    Optional<Instant> expiresAt() {
        return waits() ? Optional.empty() : Optional.of(instant(expiryMicros));
    }

    boolean waits() {
        return at > 0;
    }

    int countHeld() {
        return waits() ? at - 1 : keys.size();
    }

    String awaitedKey() {
        return keys.get(at - 1);
    }

    LockMode awaitedMode() {
        return modes.get(at - 1);
    }
}
