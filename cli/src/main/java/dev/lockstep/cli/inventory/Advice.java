package dev.lockstep.cli.inventory;

import dev.lockstep.inventory.Discrepancy;
import dev.lockstep.inventory.Discrepancy.OverdueHold;
import dev.lockstep.inventory.Remedy;
import java.util.Locale;

/** What to do about a discrepancy, in the words of the command. */
final class Advice {
    private Advice() {}

    static String of(Discrepancy found) {
        if (found instanceof OverdueHold) {
            return "The application returns it in its next sweep, or else cancels it. If neither is possible, repair the stock that it"
                    + " holds.";
        }
        String advice = found.advice();
        for (Remedy remedy : Remedy.values()) {
            advice = advice.replace(
                    remedy.name(), remedy.name().toLowerCase(Locale.ROOT).replace('_', '-'));
        }
        return advice;
    }
}
