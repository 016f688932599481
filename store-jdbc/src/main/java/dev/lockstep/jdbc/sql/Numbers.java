package dev.lockstep.jdbc.sql;

import java.time.Duration;
import java.util.Locale;

/** Numbers as people read them. */
public final class Numbers {
    private Numbers() {}

    public static String grouped(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** {@code 9 s}, {@code 3 min 5 s} or {@code 2 h 14 min}. */
    public static String clock(Duration duration) {
        if (duration.toMinutes() == 0) {
            return duration.toSeconds() + " s";
        }
        return duration.toHours() == 0
                ? duration.toMinutes() + " min " + duration.toSecondsPart() + " s"
                : duration.toHours() + " h " + duration.toMinutesPart() + " min";
    }

    public static double perSecond(long count, Duration duration) {
        return count == 0 ? 0 : count / Math.max(1e-9, duration.toNanos() / 1e9);
    }

    /** {@code 280 MB}, in thousands as disks are sold. */
    public static String bytes(long bytes) {
        String[] units = {"B", "kB", "MB", "GB", "TB"};
        double amount = bytes;
        int unit = 0;
        while (amount >= 1_000 && unit < units.length - 1) {
            amount /= 1_000;
            unit++;
        }
        return String.format(Locale.ROOT, amount < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", amount, units[unit]);
    }

    /** {@code 12.5 %}, or {@code 1 in 40,000} where a percentage would be mostly zeros. */
    public static String percent(double chance) {
        if (chance == 0 || chance >= 0.001) {
            return String.format(Locale.ROOT, "%.1f %%", 100 * chance);
        }
        return String.format(Locale.ROOT, "1 in %,.0f", 1 / chance);
    }
}
