package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Change;
import dev.lockstep.inventory.Command.Repair;
import dev.lockstep.inventory.Outcome.Rejected;
import dev.lockstep.inventory.Rejection;
import dev.lockstep.inventory.Stock;
import java.util.Optional;

/** What a repair does to the books of its stock, or why it can't. */
final class Repairs {
    private final Repair repair;
    private final Books books;

    Repairs(Repair repair, Books books) {
        this.repair = repair;
        this.books = books;
    }

    Optional<Rejected> refusal() {
        return (switch (repair.remedy()) {
                    case FROM_LEDGER -> needless().or(this::ledgerUnfit);
                    case KEEP_STOCK -> needless();
                    case RECOUNT_HOLDS -> recountUnfit();
                })
                .or(this::impossible);
    }

    private Optional<Rejected> needless() {
        if (!books.agree()
                && !(books.ledger().isEmpty()
                        && books.stock().equals(books.ledger().last()))) {
            return Optional.empty();
        }
        return rejected(
                Rejection.NOTHING_TO_REPAIR,
                "The row of " + books.key() + " and its ledger say the same: "
                        + books.stock().counts() + "."
                        + (books.stock().allocated() == books.held()
                                ? ""
                                : " But its open reservations hold " + books.held()
                                        + ": for that, repair it with RECOUNT_HOLDS."));
    }

    private Optional<Rejected> ledgerUnfit() {
        if (books.ledger().isEmpty()) {
            return impossible("it has no ledger. Repair it with KEEP_STOCK, which opens one.");
        }
        return books.ledger().isSound()
                ? Optional.empty()
                : impossible("lines of its ledger are missing or were changed. Put them back from a backup, or count"
                        + " what there is and repair it with KEEP_STOCK.");
    }

    private Optional<Rejected> recountUnfit() {
        if (books.stock().allocated() == books.held()) {
            return rejected(
                    Rejection.NOTHING_TO_REPAIR,
                    "The open reservations of " + books.key() + " hold " + books.held() + ", as its row says.");
        }
        return books.agree()
                ? Optional.empty()
                : impossible("its row and its ledger don't say the same. First repair that, FROM_LEDGER or with"
                        + " KEEP_STOCK.");
    }

    private Optional<Rejected> impossible() {
        Stock target = target();
        if (target.isNegative() || target.physical() > StockRow.MOST) {
            return impossible("it would have " + target.counts()
                    + ", which can't be. Count what there is, set the row to that, and repair it with KEEP_STOCK.");
        }
        return books.held() <= target.physical()
                ? Optional.empty()
                : impossible("its open reservations hold " + books.held() + ", and there would be only "
                        + target.physical() + " in stock. Cancel some of them first.");
    }

    /** The stock as it will be; its version is new to both the row and the ledger. */
    private Stock target() {
        Stock row = books.stock();
        Stock last = books.ledger().last();
        long version = Math.max(row.version(), last.version()) + 1;
        return switch (repair.remedy()) {
            case FROM_LEDGER -> new Stock(books.key(), last.physical(), last.allocated(), version);
            case KEEP_STOCK -> new Stock(books.key(), row.physical(), row.allocated(), version);
            case RECOUNT_HOLDS -> new Stock(books.key(), row.physical(), books.held(), version);
        };
    }

    /** The line of the ledger: all lines together add up to the stock again. */
    Change change() {
        Stock target = target();
        return new Change(
                target.physical() - books.ledger().physical(),
                target.allocated() - books.ledger().allocated(),
                target);
    }

    private Optional<Rejected> impossible(String why) {
        return rejected(Rejection.CANT_REPAIR, books.key() + " can't be repaired like this: " + why);
    }

    private Optional<Rejected> rejected(Rejection why, String detail) {
        return Optional.of(new Rejected(repair.requestId(), why, detail));
    }
}
