package dev.lockstep.inventory.books;

import dev.lockstep.inventory.HoldState;
import dev.lockstep.inventory.StockLine;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes a {@link Hold} of its rows. As long as one of them is held, the hold is that part; the parts that ended before don't count. */
final class HoldLines {
    private final String id;
    private final List<StockLine> held = new ArrayList<>();
    private final List<StockLine> ended = new ArrayList<>();
    private final Map<HoldState, List<StockLine>> endedAs = new EnumMap<>(HoldState.class);
    private HoldState end = HoldState.HELD;
    private @Nullable LocalDateTime expiresAt;

    HoldLines(String id) {
        this.id = id;
    }

    void add(StockLine line, HoldState state, @Nullable LocalDateTime lineExpiresAt) {
        if (state == HoldState.HELD) {
            held.add(line);
            expiresAt = lineExpiresAt;
        } else {
            ended.add(line);
            endedAs.computeIfAbsent(state, any -> new ArrayList<>()).add(line);
            end = end == HoldState.SHIPPED ? end : state;
            expiresAt = held.isEmpty() ? lineExpiresAt : expiresAt;
        }
    }

    Hold hold() {
        return held.isEmpty() ? new Hold(id, ended, end, expiresAt) : new Hold(id, held, HoldState.HELD, expiresAt);
    }

    /** The same, but of what has ended only the lines whose state it has: what was cancelled was not shipped. */
    Hold shown() {
        return held.isEmpty() ? hold().with(endedAs.getOrDefault(end, ended)) : hold();
    }
}
