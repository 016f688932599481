package dev.lockstep.cli.inventory;

import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Outcome.Failed;
import dev.lockstep.inventory.Outcome.OutOfStock;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Outcome.TimedOut;
import dev.lockstep.inventory.Outcome.Unknown;
import dev.lockstep.inventory.Shortage;
import java.util.Locale;

/** What became of a change, in the words of an operator. */
final class OutcomeText {
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
            return "The database failed: " + failed.cause().getMessage() + " Nothing was changed.";
        }
        if (outcome instanceof TimedOut) {
            return "The row was locked by others for too long. Nothing was changed. Try again.";
        }
        if (outcome instanceof Unknown) {
            return "The connection was lost during the commit: it may have been done. Run the same command with --request-id "
                    + outcome.requestId() + ": it is done once.";
        }
        return outcome.message(Locale.ENGLISH);
    }
}
