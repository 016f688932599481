package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Discrepancy.StockFault;
import dev.lockstep.inventory.Discrepancy.StockFault.Kind;
import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.StockKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All that the tables have of one stock at one moment.
 *
 * @param row its row, unless there is none
 * @param held what its open reservations hold
 */
public record Books(StockKey key, @Nullable Stock row, Ledger ledger, long held) {
    static Books none(StockKey key) {
        return new Books(key, null, Ledger.none(key), 0);
    }

    Books withRow(Stock found) {
        return new Books(key, found, ledger, held);
    }

    Books withLedger(Ledger found) {
        return new Books(key, row, found, held);
    }

    Books withHeld(long found) {
        return new Books(key, row, ledger, found);
    }

    /** The row; an empty one where there is none. */
    Stock stock() {
        return row == null ? new Stock(key, 0, 0, 0) : row;
    }

    public boolean isUnknown() {
        return row == null && ledger.isEmpty();
    }

    public List<StockFault> faults() {
        List<StockFault> faults = new ArrayList<>();
        if (stock().isNegative()) {
            faults.add(fault(Kind.NEGATIVE));
        }
        if (!ledger.isSound()) {
            faults.add(fault(Kind.LEDGER_BROKEN));
        }
        if (!stock().equals(ledger.last()) || (row == null && !ledger.isEmpty())) {
            faults.add(fault(difference()));
        }
        if (stock().allocated() != held && difference() != Kind.NO_ROW) {
            faults.add(fault(Kind.HOLDS_DIFFER));
        }
        return faults;
    }

    private Kind difference() {
        if (ledger.isEmpty()) {
            return Kind.NO_LEDGER;
        }
        return row == null ? Kind.NO_ROW : Kind.LEDGER_DIFFERS;
    }

    private StockFault fault(Kind kind) {
        return new StockFault(kind, stock(), ledger.last(), held);
    }

    /** Whether row and ledger say the same. */
    boolean agree() {
        return row != null && ledger.isSound() && row.equals(ledger.last());
    }
}
