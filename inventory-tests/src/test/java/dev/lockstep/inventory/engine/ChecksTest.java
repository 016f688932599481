package dev.lockstep.inventory.engine;

import static dev.lockstep.inventory.StockLine.line;
import static org.assertj.core.api.Assertions.assertThat;

import dev.lockstep.inventory.Command;
import dev.lockstep.inventory.Command.Cancel;
import dev.lockstep.inventory.Command.Expire;
import dev.lockstep.inventory.Command.Receive;
import dev.lockstep.inventory.Command.Reserve;
import dev.lockstep.inventory.InventoryLimits;
import dev.lockstep.inventory.Order;
import dev.lockstep.inventory.Outcome;
import dev.lockstep.inventory.Rejection;
import dev.lockstep.inventory.StockLine;
import dev.lockstep.inventory.books.Keys;
import dev.lockstep.inventory.books.StockRow;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class ChecksTest {
    private static final StockLine LINE = line("a", "b", 1);

    private static Optional<Rejection> why(Command command) {
        return Checks.refuse(command, InventoryLimits.DEFAULT).map(Outcome.Rejected::why);
    }

    private static Optional<Rejection> heldFor(Duration time) {
        return why(new Reserve(Order.of(LINE).heldFor(time), "r"));
    }

    @Test
    void whatIsJustInsideTheBordersIsTaken() {
        assertThat(why(new Receive(Collections.nCopies(1_000, LINE), "r"))).isEmpty();
        assertThat(why(new Receive(List.of(line("a", "b", StockRow.MOST)), "r")))
                .isEmpty();
        assertThat(why(new Cancel("h".repeat(120), "r".repeat(120)))).isEmpty();
        assertThat(why(new Expire("h".repeat(120)))).isEmpty();
        assertThat(why(new Reserve(Order.of(line("s".repeat(64), "l".repeat(64), 1)), "r")))
                .isEmpty();
        assertThat(heldFor(Duration.ofNanos(1))).isEmpty();
        assertThat(heldFor(Duration.ofDays(3_650))).isEmpty();
    }

    @Test
    void whatIsJustOutsideIsNot() {
        assertThat(why(new Receive(Collections.nCopies(1_001, LINE), "r"))).contains(Rejection.INVALID_ORDER);
        assertThat(why(new Receive(List.of(line("a", "b", StockRow.MOST), line("c", "b", 1)), "r")))
                .contains(Rejection.INVALID_QUANTITY);
        assertThat(why(new Cancel("h".repeat(121), "r"))).contains(Rejection.INVALID_TEXT);
        assertThat(why(new Cancel("h", "r".repeat(121)))).contains(Rejection.INVALID_TEXT);
        assertThat(why(new Expire("h".repeat(121)))).contains(Rejection.INVALID_TEXT);
        assertThat(why(new Cancel("h", "expire/h"))).contains(Rejection.INVALID_TEXT);
        assertThat(heldFor(Duration.ZERO)).contains(Rejection.INVALID_TIME);
        assertThat(heldFor(Duration.ofDays(3_650).plusNanos(1))).contains(Rejection.INVALID_TIME);
    }

    @Test
    void theFirstFaultOfManyLinesIsTold() {
        Receive receive = new Receive(List.of(LINE, line("a", "b", 0), line("", "b", 1)), "r");
        assertThat(why(receive)).contains(Rejection.INVALID_QUANTITY);
    }

    @Property
    @Label("any text is either refused or can be kept: not empty, whole characters, nothing around it")
    void texts(@ForAll String text) {
        boolean taken = why(new Cancel("h", text)).isEmpty();
        boolean keepable = !text.isEmpty()
                && text.length() <= 120
                && text.strip().equals(text)
                && text.codePoints()
                        .noneMatch(c -> Character.isISOControl(c)
                                || (c >= Character.MIN_SURROGATE && c <= Character.MAX_SURROGATE));
        assertThat(taken).isEqualTo(keepable);
    }

    @Property
    @Label("any quantities are either refused or add up without overflow")
    void quantities(@ForAll List<Long> quantities) {
        List<StockLine> lines =
                quantities.stream().map(quantity -> line("a", "b", quantity)).toList();
        if (why(new Receive(lines, "r")).isEmpty()) {
            assertThat(Keys.merged(lines).get(0).quantity()).isBetween(1L, StockRow.MOST);
        }
    }
}
