package dev.lockstep.cli.inventory;

import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.inventory.Shortage;
import java.util.Locale;
import java.util.Objects;

/** What became of a change, in the words of an operator. */
final class OutcomeText {
    private static final String UNCHANGED = "Nothing was changed";

    private OutcomeText() {}

    static String of(Outcome outcome) {
        if (outcome instanceof Rejected rejected) {
            return rejected.detail();
        }
        if (outcome instanceof OutOfStock out) {
            Shortage shortage = out.shortages().get(0);
            return "Only " + shortage.available() + " of " + shortage.key() + " are not reserved, but "
                    + shortage.requested() + " are to go. Nothing was changed. Cancel reservations first.";
        }
        if (outcome instanceof Failed failed) {
            String said = sentence(Objects.requireNonNullElse(
                    failed.cause().getMessage(), failed.cause().toString()));
            return "The database failed: " + said + (said.contains(UNCHANGED) ? "" : " " + UNCHANGED + ".");
        }
        if (outcome instanceof TimedOut) {
            return "The row was locked by others for too long. Nothing was changed. Try again.";
        }
        if (outcome instanceof Unknown unknown) {
            return sentence(unknown.cause()) + " The change may have been made. Run the same command with --request-id "
                    + outcome.requestId() + ": it is done once.";
        }
        return outcome.message(Locale.ENGLISH);
    }

    private static String sentence(String text) {
        return text.endsWith(".") ? text : text + ".";
    }
}
