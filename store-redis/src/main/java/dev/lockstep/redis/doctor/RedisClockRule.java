package dev.lockstep.redis.doctor;

import dev.lockstep.core.doctor.Finding;
import dev.lockstep.core.spi.ClockOffset;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Judges readings of the server's clock, and how long they took. */
final class RedisClockRule {
    private static final Duration ALLOWED_OFFSET = Duration.ofSeconds(1);
    private static final Duration ALLOWED_JUMP = Duration.ofMillis(50);
    private static final Duration ALLOWED_ROUND_TRIP = Duration.ofMillis(50);

    private RedisClockRule() {}

    /** Judges; there is at least one reading, and they are in order. */
    static List<Finding> judge(List<ServerTime> readings) {
        List<Finding> findings = new ArrayList<>();
        findings.add(offset(readings));
        ServerTime first = readings.get(0);
        ServerTime last = readings.get(readings.size() - 1);
        if (jump(first, last).compareTo(ALLOWED_JUMP) > 0) {
            findings.add(
                    Finding.warning(
                            "The server's clock was set while it was looked at: it is off by "
                                    + jump(first, last).toMillis() + " ms from the time that passed.",
                            "Let NTP slew it, not step it. Leases expire by this clock: set forward it ends them early, set back late."));
        }
        findings.add(roundTrip(readings));
        return findings;
    }

    private static Finding offset(List<ServerTime> readings) {
        ServerTime best = readings.stream()
                .min(Comparator.comparing(ServerTime::roundTrip))
                .orElseThrow();
        ClockOffset offset = ClockOffset.between(best.asked(), best.server(), best.answered());
        if (offset.atLeast().compareTo(ALLOWED_OFFSET) <= 0) {
            return Finding.ok("The server's clock agrees with this machine's.");
        }
        return Finding.warning(
                offset.toString(),
                "Set both by NTP. Locks don't depend on it: leases expire by the server's clock alone, and so tokens rise. Only"
                        + " the times that people are shown are wrong by as much.");
    }

    /** By how much more or less the server's clock went on than the question allows. */
    private static Duration jump(ServerTime first, ServerTime last) {
        Duration passed = Duration.between(first.server(), last.server());
        Duration least = Duration.ofNanos(last.askedNanos() - first.answeredNanos());
        Duration most = Duration.ofNanos(last.answeredNanos() - first.askedNanos());
        Duration missing = least.minus(passed);
        Duration over = passed.minus(most);
        return missing.compareTo(over) > 0 ? missing : over;
    }

    private static Finding roundTrip(List<ServerTime> readings) {
        Duration median =
                readings.stream().map(ServerTime::roundTrip).sorted().toList().get(readings.size() / 2);
        return median.compareTo(ALLOWED_ROUND_TRIP) > 0
                ? Finding.warning(
                        "A round trip to the server takes " + median.toMillis() + " ms, and each lock needs two.",
                        "Use a server nearby, and look for slow commands (SLOWLOG GET) and for swapping.")
                : Finding.ok("A round trip to the server takes " + millis(median) + " ms.");
    }

    private static String millis(Duration duration) {
        return String.format(Locale.ROOT, "%.1f", duration.toNanos() / 1e6);
    }
}
