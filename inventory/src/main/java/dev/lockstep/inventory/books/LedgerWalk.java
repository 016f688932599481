package dev.lockstep.inventory.books;

import dev.lockstep.inventory.Stock;
import dev.lockstep.inventory.books.Checkpoints.Line;
import java.time.LocalDateTime;

/** Reads the lines of one stock from the oldest on, and finds up to where they are old and add up. */
public final class LedgerWalk {
    private final LocalDateTime before;
    private long physical;
    private long allocated;
    private long last;
    private boolean complete = true;
    private boolean over;
    private long linesSince;
    private long checkpoint;
    private long linesToCheckpoint;

    public LedgerWalk(LocalDateTime before) {
        this.before = before;
    }

    public void add(Line line) {
        over |= !line.createdAt().isBefore(before);
        if (over) {
            return;
        }
        complete = line.mayFollowGap() || (complete && line.number() == last + 1);
        physical += line.change().physical();
        allocated += line.change().allocated();
        last = line.number();
        linesSince++;
        Stock after = line.change().after();
        if (complete && physical == after.physical() && allocated == after.allocated()) {
            checkpoint = last;
            linesToCheckpoint = linesSince;
        }
    }

    /** The number of the last line that was added. */
    public long last() {
        return last;
    }

    /** Whether a line was added that is to be kept. */
    public boolean isOver() {
        return over;
    }

    /** Whether a checkpoint would replace more than one line. */
    public boolean isReplaceable() {
        return linesToCheckpoint > 1;
    }

    /** The number of the last line up to which all add up. */
    public long checkpoint() {
        return checkpoint;
    }

    /** All lines up to the checkpoint are one line now. */
    public void replaced() {
        linesSince -= linesToCheckpoint - 1;
        linesToCheckpoint = 1;
    }

    /** Whether old lines are left that don't add up. */
    public boolean isUnsound() {
        return last > checkpoint;
    }
}
